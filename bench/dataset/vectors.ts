import { integer, pick, type Random, seeded } from './random.js';
import { nodesOf, type Node, type Owner } from './world.js';

export const DIMENSIONS = 384;
const TOPICS = 64;

const direction = (random: Random): number[] => Array.from({ length: DIMENSIONS }, () => random() - 0.5);
const topics = (() => {
  const random = seeded(4711);
  return Array.from({ length: TOPICS }, () => direction(random));
})();

/** A vector near one of the topics, like that of a text; short digits, so that bodies have a realistic size. */
export function vector(random: Random): number[] {
  const topic = pick(random, topics);
  return topic.map((number) => Math.round((number + (random() - 0.5)) * 1e4) / 1e4);
}

/** Every fifth node has one. */
export function* vectorsOf(owner: Owner): Generator<{ node: Node; embedding: number[] }> {
  const random = seeded(owner.seed + 700_000 + integer(seeded(owner.seed), 1000));
  let index = 0;
  for (const node of nodesOf(owner)) if (index++ % 5 === 0) yield { node, embedding: vector(random) };
}
