import { movesNodes, namedNodes } from './named-things.js';
import { type Step } from './proposal-content.js';

/**
 * The steps in parts that are applied whole or not at all (rule 8.7h): a step after which rules may judge a node
 * differently belongs to all others about the same nodes, for the diff says what they show together. Every other
 * step is a part of its own. The steps of a part keep their order, and parts are independent of each other.
 * @param endsOf the nodes of the existing relationship that a step names
 */
export function stepsTogether(steps: readonly Step[], endsOf: (step: Step) => readonly string[]): Step[][] {
  const parts = connected(steps, (step) => [...namesOf(step), ...endsOf(step)]);
  return parts.flatMap((part) => (part.some(movesNodes) ? [part] : part.map((step) => [step])));
}

/** Steps that have a name in common, directly or through others, by the order of their first ones. */
function connected(steps: readonly Step[], names: (step: Step) => readonly string[]): Step[][] {
  const labels = steps.map((_, index) => index);
  const labelled = new Map<string, number>();
  steps.forEach((step, index) => {
    for (const name of names(step)) {
      const [own, other] = [labels[index], labels[labelled.get(name) ?? index]] as [number, number];
      labels.forEach((label, at) => (labels[at] = label === own ? other : label));
      labelled.set(name, index);
    }
  });
  const parts = new Map<number | undefined, Step[]>();
  steps.forEach((step, index) => parts.set(labels[index], [...(parts.get(labels[index]) ?? []), step]));
  return [...parts.values()];
}

/** The nodes that a step names, and those that it makes or refers to by the names of actions. */
function namesOf(step: Step): string[] {
  const { id, ref, type, payload } = step;
  const made = type === 'CREATE_NODE' ? [id, ref ?? id] : [];
  const refs = [payload['from_ref'], payload['to_ref']].filter((name) => typeof name === 'string');
  return [...namedNodes(step), ...[...made, ...refs].map((name) => `ref ${name}`)];
}
