import { type Client } from '../support/client.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { onPostgres } from '../support/database.js';
import { letsIn, profile } from '../support/worlds/nodes.js';
import { type TestUser, World } from '../support/world.js';
import { getsToKnow } from '../support/worlds/people.js';
import { withWorld } from '../support/worlds/with-world.js';
import { Chance, seedOf } from './random.js';

const SEED = seedOf('shared tags');
const WORLDS = Number(process.env.RUNS ?? (onPostgres ? 6 : 3));
/** People who share everything of an empty graph: so few tags of each sharer count that small graphs have more. */
const EMPTY_SHARERS = [0, 3_995, 5_995];
const SHARERS = 5;
const TAGS = 9;

interface NaiveNode {
  id: string;
  type: string;
  tags: string[];
  isShared: boolean;
}

interface NaiveSharer {
  user: TestUser;
  nodes: NaiveNode[];
  tags: Named[];
  hasShare: boolean;
  sharesAll: boolean;
}

interface Named {
  id: string;
  name: string;
}

interface Reading {
  tags: Named[];
  counts: Map<string, number>;
  facets: Map<string, number>;
  isCut: boolean;
}

const byId = (one: Named | NaiveNode, other: Named | NaiveNode): number => (one.id < other.id ? -1 : 1);

/** Rule 4.15c from its text alone, one sharer at a time. */
function naively(
  sharers: readonly NaiveSharer[],
  people: number,
  sees: (node: NaiveNode) => boolean,
): Reading {
  const each = Math.max(1, Math.min(1_000, Math.floor(20_000 / people)));
  const reading: Reading = { tags: [], counts: new Map(), facets: new Map(), isCut: false };
  for (const { nodes, tags } of sharers) {
    const shown = nodes.filter(sees).sort(byId);
    const first = shown.slice(0, 10 * each);
    const numberOn = (some: readonly NaiveNode[], { id }: Named): number =>
      some.filter((node) => node.tags.includes(id)).length;
    const worn = tags.filter((tag) => numberOn(first, tag) > 0).sort(byId);
    if (shown.length > first.length || worn.length > each) reading.isCut = true;
    for (const tag of worn.slice(0, each)) {
      reading.tags.push(tag);
      reading.counts.set(tag.id, numberOn(first, tag));
      reading.facets.set(tag.id, numberOn(shown, tag));
    }
  }
  return reading;
}

/** Lists and counts of received tags are those of the plain reading, whatever sharers hide (rule 4.15c). */
describe(`tags of sharers against a naive model (seed ${SEED}, ${WORLDS} worlds)`, () => {
  let world: World;
  let chance: Chance;
  withWorld(
    (started) => (world = started),
    () => World.startHere(),
  );

  async function made(user: TestUser, path: string, body: object): Promise<{ id: string; name: string }> {
    const { status, body: answer, text } = await user.post(path, body);
    if (status !== 201) throw new Error(text);
    return answer as { id: string; name: string };
  }

  /** Nodes with random tags, none of them shared yet. */
  async function nodesOf(user: TestUser, tags: readonly Named[], count: number): Promise<NaiveNode[]> {
    const bodies = Array.from({ length: count }, (_, at) => ({
      title: `node ${at}`,
      node_type: chance.pick(['note', 'place']),
      graph_view: chance.pick(['identity', 'neutral']),
      tags: chance.some(tags, 4).map(({ id }) => id),
    }));
    const { body, text } = await user.post('/nodes/batch', { nodes: bodies });
    if (body.created?.length !== count) throw new Error(text);
    return (body.created as { id: string }[]).map(({ id }, at) => {
      const { node_type: type, tags: carried } = bodies[at] as (typeof bodies)[number];
      return { id, type, tags: carried, isShared: false };
    });
  }

  async function sharer(recipient: TestUser): Promise<NaiveSharer> {
    const user = await world.user();
    const tags: Named[] = [];
    for (let at = 0; at < TAGS; at++)
      tags.push(await made(user, '/tags', { name: `tag ${chance.below(50)} ${at}` }));
    const nodes = await nodesOf(user, tags, 1 + chance.below(70));
    let hasShare = false;
    const share = async (body: object, covers: (node: NaiveNode) => boolean): Promise<void> => {
      if (!hasShare) await getsToKnow(recipient, user);
      hasShare = true;
      await made(user, '/sharing', { shared_with_user_id: recipient.id, ...body });
      for (const node of nodes) if (covers(node)) node.isShared = true;
    };
    const named = chance.some(nodes, 20);
    const [first, second] = [chance.pick(tags), chance.pick(tags)];
    const someTags = { scope: 'specific_tags', tag_ids: [...new Set([first.id, second.id])] };
    const someNodes = { scope: 'specific_nodes', node_ids: named.map(({ id }) => id) };
    const kind = chance.below(4);
    if (kind === 0) await share({ scope: 'all' }, () => true);
    if (kind !== 0 && kind !== 2)
      await share(someTags, (node) => node.tags.includes(first.id) || node.tags.includes(second.id));
    if (kind > 1 && named.length > 0) await share(someNodes, (node) => named.includes(node));
    // A tag that a share names would end what it shares.
    const spare = tags.filter((tag) => tag !== first && tag !== second);
    const gone = chance.some(spare, 2);
    for (const { id } of gone) expect((await user.delete(`/tags/${id}`)).status).toBe(200);
    for (const node of chance.some(nodes, 3)) {
      expect((await user.delete(`/nodes/${node.id}`)).status).toBe(204);
      nodes.splice(nodes.indexOf(node), 1);
    }
    return { user, nodes, tags: tags.filter((tag) => !gone.includes(tag)), hasShare, sharesAll: kind === 0 };
  }

  async function emptySharers(recipient: TestUser, many: number): Promise<void> {
    await world.nest.get(UnitOfWork).run(async () => {
      const database = world.nest.get(Database);
      await database.write(sql`INSERT INTO shares (owner_id, id, graph_owner_id, shared_with_user_id, scope, tag_ids, node_ids,
          can_read, can_write, can_delete, can_share, source, created_at, updated_at)
        SELECT sharer, gen_random_uuid(), sharer, ${recipient.id}, 'all', '{}', '{}', true, false, false, false, 'manual', now(), now()
        FROM (SELECT gen_random_uuid() AS sharer FROM generate_series(1, ${many}::int)) AS g`);
      await database.write(sql`UPDATE sequences SET policy = policy + 1 WHERE id = ${recipient.id}`);
    });
  }

  async function pagesOf(client: Client, question: string): Promise<Record<string, unknown>> {
    const tags: Record<string, unknown>[] = [];
    for (;;) {
      const { status, body, text } = await client.get(`/tags?${question}&limit=7&offset=${tags.length}`);
      if (status !== 200) throw new Error(text);
      tags.push(...body.tags);
      if (body.tags.length === 0) return { tags, total: body.total, truncated: body.truncated };
    }
  }

  const sorted = (tags: readonly Named[]): Named[] =>
    [...tags].sort((one, other) =>
      one.name === other.name ? byId(one, other) : one.name < other.name ? -1 : 1,
    );
  const plain = ({ id, name }: Named): Named => ({ id, name });

  /** The whole answers for a caller, to compare them before and after something hidden. */
  async function answersTo(client: Client): Promise<Record<string, unknown>[]> {
    const { body: facets } = await client.get('/nodes/facets?access=shared');
    return [
      await pagesOf(client, 'access=shared&include_node_counts=true'),
      await pagesOf(client, 'access=shared&search=4'),
      await pagesOf(client, 'access=all'),
      facets,
    ];
  }

  async function compare(client: Client, own: readonly Named[], expected: Reading): Promise<unknown> {
    const answers = await answersTo(client);
    const [counted, searched, all, facets] = answers;
    const { tags, isCut: truncated } = expected;
    expect(counted).toEqual({
      tags: sorted(tags).map((tag) => ({ ...plain(tag), node_count: expected.counts.get(tag.id) })),
      total: tags.length,
      truncated,
    });
    const found = tags.filter(({ name }) => name.includes('4'));
    expect(searched).toEqual({ tags: sorted(found).map(plain), total: found.length, truncated });
    const names = (all?.['tags'] as Named[]).map(({ id }) => id);
    expect(names).toEqual(sorted([...own, ...tags]).map(({ id }) => id));
    expect([all?.['total'], all?.['truncated']]).toEqual([own.length + tags.length, truncated]);
    const values = facets?.['tags'] as { id: string; count: number }[];
    expect(new Map(values.map(({ id, count }) => [id, count]))).toEqual(expected.facets);
    expect([facets?.['tags_total'], facets?.['tags_truncated']]).toEqual([tags.length, truncated]);
    return answers;
  }

  it('lists, searches, counts and facets of received tags agree with the model, for a person and an app', async () => {
    chance = new Chance(SEED);
    let cuts = 0;
    for (let at = 0; at < WORLDS; at++) {
      const bob = await world.user();
      const own = [
        await made(bob, '/tags', { name: 'own' }),
        await made(bob, '/tags', { name: 'tag 4 own' }),
      ];
      const sharers: NaiveSharer[] = [];
      for (let count = 0; count < SHARERS; count++) sharers.push(await sharer(bob));
      const empty = EMPTY_SHARERS[at % EMPTY_SHARERS.length] as number;
      await emptySharers(bob, empty);
      // Sharers of nothing are strangers, who do not count for an app.
      const known = sharers.filter(({ hasShare }) => hasShare).length;
      const people = empty + known;
      const sees = ({ isShared }: NaiveNode): boolean => isShared;
      const expected = naively(sharers, people, sees);
      const app = await letsIn(
        world,
        bob,
        profile({ discover: 'all', read: 'all' }, { excluded_node_types: ['place'] }),
      );
      const narrow = naively(sharers, known, (node) => sees(node) && node.type !== 'place');
      const before = [await compare(bob, own, expected), await compare(app, own, narrow)];
      cuts += expected.isCut ? 1 : 0;
      // Hidden nodes and tags of sharers who do not share everything.
      for (const { user, sharesAll } of sharers) {
        if (sharesAll) continue;
        const unshared = await made(user, '/tags', { name: 'hidden 4' });
        const named = { title: 'hidden', node_type: 'note', tags: [unshared.id] };
        await made(user, '/nodes', named);
      }
      expect([await answersTo(bob), await answersTo(app)]).toEqual(before);
    }
    expect(cuts).toBeGreaterThan(0);
  }, 600_000);
});
