import { integer, pick, type Random } from './dataset/random.js';
import { vector } from './dataset/vectors.js';
import { content, type Owner, PROFILE, type Tag } from './dataset/world.js';
import { requestBytes } from './load/connection.js';

/** An owner with the generator's data to call for them. */
export interface Subject {
  owner: Owner;
  /** Ids that the profile lets through. */
  visible: string[];
  /** The number of nodes that the profile lets through in the loaded data. */
  visibleTotal: number;
  headers: Record<string, string>;
}

export interface Operation {
  name: string;
  title: string;
  status: number;
  /**
   * many: another one of the equal owners with every request; one: the first of them; big: the one with ten times as
   * many nodes.
   */
  subjects: 'many' | 'one' | 'big';
  /** Creates per second in the same graph while the operation is measured. */
  writes?: number;
  /** The required ratio to the bare reference; undefined for a comparison only. */
  goal?: { postgres: number; pglite: number };
  request(subject: Subject, random: Random): Buffer;
}

const PATH = '/api/v1/nodes';

const list = (subject: Subject): Buffer =>
  requestBytes('GET', `${PATH}?limit=20&include_tags=true`, subject.headers);

let bodies = 0;

/**
 * A body with a unique text (streams of random numbers may cross), with one to four of the tags that the profile may
 * assign.
 */
function body(subject: Subject, random: Random): object {
  const names = new Set<string>();
  for (let count = 1 + integer(random, 4); count > 0; count--)
    names.add((subject.owner.tags[pick(random, PROFILE.any)] as Tag).name);
  const { title, ...rest } = content(random);
  return { ...rest, title: `${title} ${++bodies}`, tags: [...names] };
}

export const create = (subject: Subject, random: Random): Buffer =>
  requestBytes('POST', PATH, subject.headers, body(subject, random));

const batch = (subject: Subject, random: Random): Buffer =>
  requestBytes('POST', `${PATH}/batch`, subject.headers, {
    nodes: Array.from({ length: 100 }, () => body(subject, random)),
  });

/** The same against a reference without search words, contributions and the check for duplicates. */
const againstLean = (operation: Operation): Operation => ({
  ...operation,
  name: `${operation.name}-lean`,
  title: `${operation.title}; the reference without words, contributions and duplicates`,
  request: (subject, random) =>
    operation.request({ ...subject, headers: { ...subject.headers, 'X-Rows': 'lean' } }, random),
});

const vectorSearch = (subject: Subject, random: Random): Buffer =>
  requestBytes('POST', `${PATH}/search/vector`, subject.headers, { embedding: vector(random), limit: 10 });
/** The first page of a full sync: the cost of a page does not depend on its depth. */
const syncPage = (limit: number): Operation => ({
  name: `sync-${limit}`,
  title: `sync page of ${limit}, tag names`,
  status: 200,
  subjects: 'many',
  goal: { postgres: 0.85, pglite: 0.85 },
  request: ({ headers }) => requestBytes('GET', `/api/v1/sync?limit=${limit}&include_tags=true`, headers),
});

const CREATE: Operation = {
  name: 'create',
  title: 'create with tags, words, history, change row, contribution',
  status: 201,
  subjects: 'many',
  request: create,
};

const BATCH: Operation = { ...CREATE, name: 'batch', title: 'batch of 100 creates', request: batch };

/** The measured operations in their order: writes come last. Later operations of the product join here. */
export const OPERATIONS: readonly Operation[] = [
  {
    name: 'get',
    title: 'get node by id',
    status: 200,
    subjects: 'many',
    goal: { postgres: 0.9, pglite: 0.9 },
    request: (subject, random) =>
      requestBytes('GET', `${PATH}/${pick(random, subject.visible)}`, subject.headers),
  },
  {
    name: 'list',
    title: 'list 20, exact total, tag names; graph unchanged',
    status: 200,
    subjects: 'many',
    goal: { postgres: 1.4, pglite: 1.4 },
    request: list,
  },
  {
    name: 'list-written',
    title: 'the same list, 10 changes/s in that graph',
    status: 200,
    subjects: 'one',
    writes: 10,
    goal: { postgres: 1, pglite: 0.9 },
    request: list,
  },
  syncPage(100),
  syncPage(1000),
  {
    name: 'vector',
    title: 'vector search, top 10 of the vectors of a fifth, exact total',
    status: 200,
    subjects: 'many',
    goal: { postgres: 0.9, pglite: 0.9 },
    request: vectorSearch,
  },
  {
    name: 'vector-big',
    title: 'the same, an owner with ten times as many',
    status: 200,
    subjects: 'big',
    goal: { postgres: 0.9, pglite: 0.9 },
    request: vectorSearch,
  },
  { ...CREATE, goal: { postgres: 0.8, pglite: 0.8 } },
  againstLean(CREATE),
  { ...BATCH, goal: { postgres: 0.9, pglite: 0.8 } },
  againstLean(BATCH),
];
