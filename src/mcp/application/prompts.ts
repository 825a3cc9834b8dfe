interface PromptArgument {
  name: string;
  description: string;
  required: boolean;
}

export interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: readonly PromptArgument[];
  text(given: Readonly<Record<string, string>>): string;
}

/** Questions that a person picks from a menu of their assistant. */
export const PROMPTS: readonly Prompt[] = [
  {
    name: 'what_do_you_know',
    title: 'What do you know about…',
    description: 'Everything in the graph about a topic, with its sources.',
    arguments: [{ name: 'topic', description: 'A tag, a name or a few words', required: true }],
    text: ({ topic = '' }) =>
      `Search my graph for "${topic}", read the best hits and what is connected with them, and tell me what you know about it. Name the note behind each statement, and say what you could not find.`,
  },
  {
    name: 'remember_conversation',
    title: 'Remember this conversation',
    description: 'Saves or suggests what is worth keeping of this conversation.',
    arguments: [],
    text: () =>
      'Go through our conversation and list what about me is worth remembering: facts, experiences, beliefs and goals. Search my graph for each, so that nothing is saved twice. Show me the list, and when I agree remember each of them as a note of its own, with fitting tags.',
  },
  {
    name: 'review_goals',
    title: 'Review my goals',
    description: 'Goes through the goals in the graph and suggests changes.',
    arguments: [],
    text: () =>
      'List my nodes of the type GOAL, and for each one what is connected with it and how it has changed. Ask me about each goal in turn: is it done, still right, or to be dropped? Then suggest the changes as one proposal.',
  },
];

export const promptNamed = (name: string): Prompt | undefined => PROMPTS.find((one) => one.name === name);
