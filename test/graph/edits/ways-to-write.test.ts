import { jest } from '@jest/globals';
import { Database } from '../../../src/kernel/database/database.js';
import { sql } from '../../../src/kernel/database/sql.js';
import { type Answer } from '../../support/client.js';
import { type TestUser, World } from '../../support/world.js';

type Content = Readonly<Record<string, unknown>>;
type Row = Readonly<Record<string, unknown>>;

interface Way {
  name: string;
  write: (user: TestUser, nodes: readonly Content[]) => Promise<Answer[]>;
  /** Names of the statements that write changes as transactions of their own; empty within a transaction. */
  alone: RegExp | null;
  /** The same where a node is long. */
  longAlone?: RegExp;
}

const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });

const SHARED = /^changes:shared:node-insert:/;
const EXPECTED = /^changes:many:expected:.*:nodes-insert-copy$/;

const ONE_AFTER_ANOTHER: Way = {
  name: 'creates one after another',
  write: async (user, nodes) => {
    const answers: Answer[] = [];
    for (const node of nodes) answers.push(await user.post('/nodes', node));
    return answers;
  },
  alone: SHARED,
  longAlone: /^changes:one:.*:node-insert$/,
};

const WAYS: readonly Way[] = [
  ONE_AFTER_ANOTHER,
  {
    name: 'creates under an Idempotency-Key, each sent twice',
    write: async (user, nodes) => {
      const answers: Answer[] = [];
      for (const node of [...nodes, ...nodes])
        answers.push(await user.post('/nodes', node, keyed(`key ${String(node['title'])}`)));
      return answers;
    },
    alone: null,
  },
  {
    name: 'creates at the same time',
    write: (user, nodes) => Promise.all(nodes.map((node) => user.post('/nodes', node))),
    alone: SHARED,
    longAlone: /^changes:one:.*:node-insert$/,
  },
  {
    name: 'a batch',
    write: async (user, nodes) => [await user.post('/nodes/batch', { nodes })],
    alone: EXPECTED,
  },
  {
    name: 'a batch under an Idempotency-Key',
    write: async (user, nodes) => [await user.post('/nodes/batch', { nodes }, keyed('batch'))],
    alone: null,
  },
];

const CONTENTS = ['one', 'two', 'three'].map((title) => ({
  title,
  value: `${title} words to be found`,
  node_type: 'note',
  tags: ['known'],
  importance_score: 0.25,
  metadata: { place: { name: title }, count: 3, list: [1, 'x'] },
}));
const LONG_CONTENTS = CONTENTS.map((content) => ({ ...content, metadata: { text: 'x'.repeat(20_000) } }));

/**
 * Several statements write new nodes, depending on the rest of the unit (ADR 20, 21): all must write the same rows as the
 * plain sink, which writes one statement after another (ADR 59).
 */
describe('five statements', () => {
  let world: World;
  let plainWorld: World;
  let database: Database;
  let sendAlone: Database['writeAlone'];

  beforeAll(async () => {
    world = await World.startHere({ RATE_LIMITS: 'off' });
    plainWorld = await World.startHere({ RATE_LIMITS: 'off', WRITE_BATCHING: 'off' });
    database = world.nest.get(Database);
    sendAlone = database.writeAlone.bind(database);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => Promise.all([world.stop(), plainWorld.stop()]));

  /** The rows that the way leaves in the database, and the names of the statements that were sent alone. */
  const written = async (way: Way, contents: readonly Content[], of = world) => {
    const user = await of.user();
    const first = await user.post('/nodes', { title: 'first', node_type: 'note', tags: ['known'] });
    expect(first.status).toBe(201);
    const own = of.nest.get(Database);
    const spy = jest.spyOn(own, 'writeAlone');
    const answers = await way.write(user, contents);
    const alone = spy.mock.calls
      .map(([{ name }]) => name ?? '')
      .filter((name) => name.startsWith('changes:'));
    expect(answers.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
    return { rows: await rowsOf(user.id, own), alone: [...new Set(alone)] };
  };

  const writtenPlainly = (contents: readonly Content[]) => written(ONE_AFTER_ANOTHER, contents, plainWorld);

  const rowsOf = async (ownerId: string, own: Database): Promise<Row> => {
    const [found] = await own.read<{ nodes: Row[]; rows: Row }>(sql`
      SELECT (SELECT jsonb_agg(jsonb_build_object('id', n.id, 'title', n.title, 'at', n.created_at, 'tags', n.tag_ids))
          FROM nodes AS n WHERE n.owner_id = o.id) AS nodes,
        jsonb_build_object(
          'nodes', (SELECT jsonb_agg(to_jsonb(n) ORDER BY n.title) FROM nodes AS n WHERE n.owner_id = o.id),
          'words', (SELECT jsonb_agg(to_jsonb(w) ORDER BY n.title) FROM node_words AS w
            JOIN nodes AS n ON n.owner_id = w.owner_id AND n.id = w.node_id WHERE w.owner_id = o.id),
          'changes', (SELECT jsonb_agg(to_jsonb(c) - 'sequence' ORDER BY c.entity, c.snapshot ->> 'title')
            FROM changes AS c WHERE c.owner_id = o.id),
          'numbers', (SELECT jsonb_agg(c.sequence ORDER BY c.sequence) FROM changes AS c WHERE c.owner_id = o.id),
          'contributions', (SELECT jsonb_agg(to_jsonb(c) - 'sequence' ORDER BY n.title) FROM contributions AS c
            JOIN nodes AS n ON n.owner_id = c.owner_id AND n.id = c.node_id WHERE c.owner_id = o.id),
          'contributed', (SELECT count(*) FROM contributions AS c JOIN changes AS n USING (owner_id, sequence)
            WHERE c.owner_id = o.id AND c.node_id = n.entity_id),
          'counters', to_jsonb(o) - 'changed_at') AS rows
      FROM sequences AS o WHERE o.id = ${ownerId}`);
    const { nodes, rows } = found as { nodes: Row[]; rows: Row };
    return comparable(rows, ownerId, nodes);
  };

  describe.each([
    { length: 'short', contents: CONTENTS },
    { length: 'long', contents: LONG_CONTENTS },
  ])('$length', ({ length, contents }) => {
    it.each(WAYS)('the rows are the same for $name', async (way) => {
      const plain = await writtenPlainly(contents);
      const other = await written(way, contents);
      expect(other.rows).toEqual(plain.rows);
      expect((plain.rows['nodes'] as Row[]).length).toBe(1 + contents.length);
      expect(plain.alone).toEqual([]);
      const expected = length === 'long' ? (way.longAlone ?? way.alone) : way.alone;
      if (expected === null) expect(other.alone).toEqual([]);
      else expect(other.alone).toEqual([expect.stringMatching(expected)]);
    });
  });

  it.each([
    ['contributions', `coalesce(r.superseded, '{}')`, `'{title}'::text[]`],
    ['changes', 'r.node_type, r.node_created_at', 'NULL::text, r.node_created_at'],
    ['counters', 'nodes = s.nodes + g.nodes', 'nodes = s.nodes + 2 * g.nodes'],
  ])(
    'new nodes, in each way in which they are written are found to differ if a statement writes other %s',
    async (rows, text, instead) => {
      const plain = await writtenPlainly(CONTENTS);
      const faulty: Way = {
        ...ONE_AFTER_ANOTHER,
        write: (user, nodes) => {
          jest.spyOn(database, 'writeAlone').mockImplementation((statement) => {
            expect(statement.text).toContain(text);
            const changed = statement.text.replace(text, instead);
            return sendAlone({ ...statement, name: `faulty ${rows}`, text: changed });
          });
          return ONE_AFTER_ANOTHER.write(user, nodes);
        },
      };
      const other = await written(faulty, CONTENTS);
      expect(other.rows[rows]).not.toEqual(plain.rows[rows]);
    },
  );
});

/** Replaces ids by the kind of their entity, and the time of each node by a word. */
function comparable(rows: Row, ownerId: string, nodes: readonly Row[]): Row {
  let text = JSON.stringify(rows).replaceAll(ownerId, 'owner');
  for (const { id, title, tags } of nodes) {
    text = text.replaceAll(String(id), `node ${String(title)}`);
    for (const tag of tags as string[]) text = text.replaceAll(tag, 'tag');
  }
  const times = new Set(nodes.map(({ at }) => new Date(String(at)).getTime()));
  return JSON.parse(
    text.replace(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)/g, (time) =>
      times.has(new Date(time).getTime()) ? 'time of a node' : time,
    ),
  ) as Row;
}
