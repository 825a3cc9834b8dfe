import { columns } from './columns.js';
import { type Onlooker, type Person } from './demo-cast.js';
import { type Answer } from './demo-client.js';

interface Node extends Record<string, unknown> {
  id: string;
  title?: string;
}

interface Question {
  asked: string;
  path: string;
  told: (answer: Answer) => string;
}

const LABEL = 30;
const SHOWN = 3;
const MAX_WIDTH = 40;

/** Makes the same calls as the owner and as each app, one column for each. */
export async function compare(person: Person, apps: readonly Onlooker[]): Promise<string[]> {
  const onlookers: Onlooker[] = [person, ...apps];
  // The first request of a caller fills caches that later ones use.
  for (const { client } of onlookers) await client.get('/nodes?limit=1');
  const word = await wordOf(apps[0] as Onlooker);
  const questions = [
    ...commonQuestions(word),
    ...(person.noteId === undefined ? [] : [noteQuestion(person.noteId)]),
  ];
  const rows = [
    ['', ...onlookers.map(({ name }) => name)],
    ['may see', ...onlookers.map(({ terms }) => terms)],
    ...(await inTurn(questions, async (question) => [
      question.asked,
      ...(await inTurn(onlookers, (one) => ask(one, question))),
    ])),
  ];
  const widths = [LABEL, ...onlookers.map(() => MAX_WIDTH)];
  return rows.flatMap((row) => [...columns([row], widths), '']);
}

function commonQuestions(word: string): Question[] {
  return [
    {
      asked: 'GET /nodes',
      path: '/nodes?limit=100&include_tags=true',
      told: ({ body }) =>
        `${body['total'] as number} in all, newest first:\n${titles(body['nodes'] as Node[])}`,
    },
    {
      asked: 'GET /nodes/count',
      path: '/nodes/count',
      told: ({ body }) => `${body['count'] as number} in all`,
    },
    {
      asked: `GET /nodes?search=${word}`,
      path: `/nodes?search=${encodeURIComponent(word)}`,
      told: ({ body }) => `${body['total'] as number} found`,
    },
    {
      asked: 'GET /nodes?node_type=EXPERIENCE',
      path: '/nodes?node_type=EXPERIENCE&limit=100',
      told: ({ body }) => `${body['total'] as number} in all`,
    },
    {
      asked: 'GET /nodes?node_type=CONTACT',
      path: '/nodes?node_type=CONTACT',
      told: ({ body }) => `${body['total'] as number} in all`,
    },
    { asked: 'GET /tags', path: '/tags', told: ({ body }) => `${body['total'] as number} in all` },
    {
      asked: 'GET /relationships',
      path: '/relationships',
      told: ({ body }) => `${body['total'] as number} in all`,
    },
  ];
}

function noteQuestion(id: string): Question {
  return {
    asked: 'GET /nodes/<one note>',
    path: `/nodes/${id}`,
    told: ({ body }) =>
      `title: ${String(body['title'])}\nvalue: ${'value' in body ? String(body['value']) : '(not shown)'}`,
  };
}

async function ask({ client }: Onlooker, { path, told }: Question): Promise<string> {
  const answer = await client.get(path);
  return `${told(answer)}\n(${answer.milliseconds.toFixed(1)} ms)`;
}

function titles(nodes: readonly Node[]): string {
  const shown = nodes.slice(0, SHOWN).map(({ title }) => `- ${title ?? '(no title)'}`);
  return [...shown, ...(nodes.length > SHOWN ? ['- …'] : [])].join('\n');
}

/** The most frequent word in the titles that this onlooker sees, so that every search finds something. */
async function wordOf({ client }: Onlooker): Promise<string> {
  const nodes = (await client.get('/nodes?limit=100')).body['nodes'] as Node[];
  const counts = new Map<string, number>();
  for (const { title = '' } of nodes) {
    for (const word of new Set(title.toLowerCase().match(/\p{L}{5,}/gu)))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const [word = 'note'] = [...counts].sort((a, b) => b[1] - a[1]).map(([each]) => each);
  return word;
}

/** Runs one after the other, so that calls do not slow each other down. */
async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
