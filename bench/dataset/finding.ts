import { integer, pick, type Random, seeded } from './random.js';

type Json = Record<string, unknown>;

interface Ask {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
}

export interface Question {
  name: string;
  requests: Ask[];
  /** The size of the first answer. */
  size: (answer: Json) => string;
}

const VOCABULARY = 20_000;
/** Words of titles and values that are as long as those of docs/performance.md: some 40 and 200 characters. */
const WORDS_OF_TITLE = 4;
const WORDS_OF_VALUE = 18;
const EDGES = 50;
const TAGS = 50;
/** Requests to the service at once while the graph is written. */
const AT_ONCE = 4;

/** A word by its rank. Two words have no stem in common, in whatever language they are taken to be. */
const word = (rank: number): string => Array.from(String(rank), (digit) => SYLLABLES[Number(digit)]).join('');
const SYLLABLES = ['bam', 'cet', 'dil', 'fes', 'gop', 'hap', 'jek', 'lib', 'mov', 'nud'];

/** Ranks as in texts: the word of rank r with a probability of 1 / r. */
const anyRank = (random: Random): number => Math.floor(Math.exp(random() * Math.log(VOCABULARY)));

/** A tag by its rank, by the same law. */
const anyTag = (random: Random): string => `tag ${Math.floor(Math.exp(random() * Math.log(TAGS)))}`;

const text = (random: Random, length: number): string =>
  Array.from({ length }, () => word(anyRank(random))).join(' ');

const search = (query: string): Ask => ({
  method: 'POST',
  path: '/nodes/search',
  body: { query, limit: 10 },
});
const total = ({ total: found }: Json): string => `${String(found)} hits`;

/** A person's graph of texts in which words are as frequent as in a language, a node with 50 relationships, and a hub. */
export class FindingGraph {
  private constructor(
    private readonly port: number,
    readonly headers: Record<string, string>,
    private readonly nodes: { node: string; hub: string },
  ) {}

  static async write(port: number, nodes: number, edges: number): Promise<FindingGraph> {
    const person = { username: 'reader', email: 'reader@example.org', password: 'correct horse battery' };
    const { access_token } = await call(port, {}, { method: 'POST', path: '/auth/register', body: person });
    const headers = { Authorization: `Bearer ${String(access_token)}` };
    const ids = await writeNodes(port, headers, nodes);
    const [node, hub] = [ids[0]!, ids[1]!];
    const pairs: [string, string][] = [];
    for (let place = 2; place < 2 + EDGES; place++) pairs.push([node, ids[place]!]);
    for (let place = 2; place < 2 + EDGES; place++)
      for (let far = 1; far <= 5; far++) pairs.push([ids[place]!, ids[EDGES + place * 5 + far]!]);
    for (let place = 0; place < Math.min(edges, ids.length - 400); place++)
      pairs.push([hub, ids[place + 400]!]);
    await inParallel(pairs, async ([from_node_id, to_node_id]) => {
      const body = { from_node_id, to_node_id, relationship_type: 'references' };
      await call(port, headers, { method: 'POST', path: '/relationships', body });
    });
    return new FindingGraph(port, headers, { node, hub });
  }

  questions(): Question[] {
    const around = (id: string, depth: number): Ask => ({
      method: 'GET',
      path: `/nodes/${id}/neighborhood?depth=${depth}&limit=100`,
    });
    const size = ({ nodes = [], relationships = [] }: Json): string =>
      `${(nodes as unknown[]).length} nodes, ${(relationships as unknown[]).length} relationships`;
    return [
      { name: 'search, a rare word', requests: words(2_000, 1), size: total },
      { name: 'search, a word in one of ten texts', requests: words(21, 1), size: total },
      { name: 'search, a word in two of five', requests: words(4, 1), size: total },
      { name: 'search, eight words', requests: words(21, 8), size: total },
      { name: 'search, eight rare words', requests: words(2_000, 8), size: total },
      { name: 'neighborhood, depth 2, 50 edges', requests: [around(this.nodes.node, 2)], size },
      { name: 'neighborhood, depth 2, hub', requests: [around(this.nodes.hub, 2)], size },
      {
        name: 'facets',
        requests: [{ method: 'GET', path: '/nodes/facets' }],
        size: ({ total: counted }) => `${String(counted)} nodes`,
      },
      {
        name: 'tags with counts',
        requests: [{ method: 'GET', path: '/tags?include_node_counts=true&limit=50' }],
        size: ({ total: tags }) => `${String(tags)} tags`,
      },
      {
        name: 'sync page of 100, all parts',
        requests: [{ method: 'GET', path: '/sync?limit=100&include=relationships,tags' }],
        size: ({ changes }) => `${(changes as unknown[]).length} changes`,
      },
    ];
  }

  /** The size of a question's first answer. */
  async found({ requests: [first], size }: Question): Promise<string> {
    return size(await call(this.port, this.headers, first!));
  }
}

/** Twenty questions of words, each behind the first with half as many hits as the one before. */
function words(rank: number, number: number): Ask[] {
  const random = seeded(rank * 100 + number);
  return Array.from({ length: 20 }, () => {
    const first = rank + integer(random, Math.ceil(rank / 10));
    return search(
      Array.from({ length: number }, (_, place) => word(first * 2 ** Math.min(place, 8) + place)).join(' '),
    );
  });
}

async function writeNodes(port: number, headers: Record<string, string>, count: number): Promise<string[]> {
  const random = seeded(count);
  const batches = Array.from({ length: Math.ceil(count / 100) }, () => ({
    nodes: Array.from({ length: 100 }, () => ({
      title: text(random, WORDS_OF_TITLE),
      value: text(random, WORDS_OF_VALUE),
      node_type: pick(random, ['note', 'message', 'event']),
      metadata: {
        properties: { status: pick(random, ['open', 'done', 'later']), place: text(random, 2) },
        summary: text(random, 9),
      },
      tags: [...new Set(Array.from({ length: 1 + integer(random, 4) }, () => anyTag(random)))],
    })),
  }));
  const ids: string[] = [];
  await inParallel(batches, async (body) => {
    const { created } = await call(port, headers, { method: 'POST', path: '/nodes/batch', body });
    ids.push(...(created as { id: string }[]).map(({ id }) => id));
  });
  return ids;
}

async function inParallel<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const one of left) await act(one);
    }),
  );
}

/** Any answer but a 2xx ends the benchmark. */
export async function call(
  port: number,
  headers: Record<string, string>,
  { method, path, body }: Ask,
): Promise<Json> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const content = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${content}`);
  return JSON.parse(content) as Json;
}
