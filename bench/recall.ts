import { seeded } from './dataset/random.js';
import { vector, vectorsOf } from './dataset/vectors.js';
import { isVisible } from './dataset/world.js';
import { type Subject } from './operations.js';
import { type Target } from './targets/process.js';

const LIMIT = 10;
const QUERIES = 20;

interface Answer {
  nodes: { id: string }[];
  total: number;
}

/** The number of nearest visible nodes that a server finds, compared with a computation outside every database. */
export interface Recall {
  target: string;
  owner: string;
  vectors: number;
  recall: number;
  /** The greatest difference of a total; more than a rounding at the edge is a defect. */
  totalOff: number;
}

export async function measureRecall(targets: Target[], subjects: Subject[]): Promise<Recall[]> {
  const recalls: Recall[] = [];
  for (const subject of subjects) {
    const all = [...vectorsOf(subject.owner)];
    const visible = all
      .filter(({ node }) => isVisible(subject.owner, node))
      .map(({ node, embedding }) => ({ id: node.id, embedding }));
    const random = seeded(subject.owner.seed);
    const queries = Array.from({ length: QUERIES }, () => vector(random));
    const exact = queries.map((query) => nearest(query, visible));
    for (const target of targets) {
      let found = 0;
      let totalOff = 0;
      for (const [index, query] of queries.entries()) {
        const { ids, total } = exact[index] as ReturnType<typeof nearest>;
        const answer = await ask(target, subject, query);
        found += answer.nodes.filter(({ id }) => ids.has(id)).length / ids.size;
        totalOff = Math.max(totalOff, Math.abs(answer.total - total));
      }
      const recall = found / QUERIES;
      recalls.push({
        target: target.name,
        owner: subject.owner.username,
        vectors: all.length,
        recall,
        totalOff,
      });
    }
  }
  return recalls;
}

function nearest(
  query: number[],
  visible: { id: string; embedding: number[] }[],
): { ids: Set<string>; total: number } {
  const scored = visible
    .map(({ id, embedding }) => ({ id, score: cosine(query, embedding) }))
    .filter(({ score }) => score >= 0)
    .sort((a, b) => b.score - a.score);
  return { ids: new Set(scored.slice(0, LIMIT).map(({ id }) => id)), total: scored.length };
}

function cosine(one: number[], other: number[]): number {
  let [dot, a, b] = [0, 0, 0];
  for (let index = 0; index < one.length; index++) {
    const [x, y] = [one[index] as number, other[index] as number];
    dot += x * y;
    a += x * x;
    b += y * y;
  }
  return dot / Math.sqrt(a * b);
}

async function ask(target: Target, subject: Subject, embedding: number[]): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${target.port}/api/v1/nodes/search/vector`, {
    method: 'POST',
    // The expected answers are computed between two requests, which takes longer than servers keep connections.
    headers: { ...subject.headers, 'Content-Type': 'application/json', Connection: 'close' },
    body: JSON.stringify({ embedding, limit: LIMIT }),
  });
  if (answer.status !== 200)
    throw new Error(`${target.name}: vector search answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}
