import { UnitOfWork } from '../../../src/kernel/change-log/unit-of-work.js';
import { Database } from '../../../src/kernel/database/database.js';
import { type Sql, sql } from '../../../src/kernel/database/sql.js';
import { node, tagId, titlesOf } from '../../support/worlds/nodes.js';
import { type Explained, visitedRows } from '../../support/plans.js';
import { type TestUser, World } from '../../support/world.js';
import { withPeople } from '../../support/worlds/people.js';

const SHARERS = 40;
const NODES = 100;

interface Sent {
  name: string | undefined;
  statement: Sql;
}

interface Named {
  id: string;
  name: string;
}

/** All own tags, by their ids. */
async function tagsOf(owner: TestUser): Promise<Named[]> {
  const pages = await Promise.all([0, 100].map((offset) => owner.get(`/tags?limit=100&offset=${offset}`)));
  const tags = pages.flatMap(({ body }) => body.tags as Named[]);
  return tags.sort((one, other) => (one.id < other.id ? -1 : 1));
}

describe('tags of sharers in POST /nodes/search', () => {
  let world: World;
  let alice: TestUser;
  let bob: TestUser;
  withPeople(
    (people) => ({ world, alice, bob } = people),
    () => World.startHere(),
  );

  const shares = async (body: object): Promise<string> => {
    const made = await alice.post('/sharing', { shared_with_user_id: bob.id, ...body });
    expect(made.status).toBe(201);
    return made.body.id as string;
  };

  /** The statements over words, tags and nodes that a search of the recipient sends. */
  async function sentBy(body: object): Promise<{ titles: string[]; sent: Sent[] }> {
    const database = world.nest.get(Database);
    const read = database.read.bind(database);
    const sent: Sent[] = [];
    database.read = (statement: Sql, name?: string) => {
      if (name?.startsWith('search') === true) sent.push({ name, statement });
      return read(statement, name);
    };
    try {
      const answer = await bob.post('/nodes/search', body);
      expect(answer.status).toBe(200);
      return { titles: titlesOf(answer).sort(), sent };
    } finally {
      database.read = read;
    }
  }

  /** Further sharers with tags and nodes like alice's only ones; each node has the sharer's tags. */
  async function sharersLike(
    share: string,
    { sharers: count, tags, nodes }: { sharers: number; tags: number; nodes: number },
  ): Promise<void> {
    const database = world.nest.get(Database);
    await world.nest.get(UnitOfWork).run(async () => {
      const sharers = sql`(SELECT ('00000000-0000-4000-8000-' || lpad((i + ${tags * 1000}::integer)::text, 12, '0'))::uuid AS id,
        (SELECT array_agg(('00000000-0000-4000-8001-' || lpad((i * 1000 + ${tags * 1_000_000}::integer + place)::text, 12, '0'))::uuid) FROM generate_series(1, ${tags}::integer) AS place) AS tag_ids
        FROM generate_series(1, ${count}::integer) AS i)`;
      await database.write(sql`INSERT INTO sequences (id) SELECT id FROM ${sharers} AS sharer`);
      await database.write(sql`INSERT INTO tags SELECT made.* FROM tags AS t, ${sharers} AS sharer, unnest(sharer.tag_ids) WITH ORDINALITY AS tag (id, place),
        jsonb_populate_record(t, jsonb_build_object('owner_id', sharer.id, 'id', tag.id, 'name_key', t.name_key || place)) AS made WHERE t.owner_id = ${alice.id}`);
      await database.write(sql`INSERT INTO nodes SELECT made.* FROM nodes AS n, ${sharers} AS sharer, generate_series(1, ${nodes}::integer) AS place,
        jsonb_populate_record(n, jsonb_build_object('owner_id', sharer.id, 'id', gen_random_uuid(), 'title', 'one ' || place,
          'tag_ids', sharer.tag_ids)) AS made WHERE n.owner_id = ${alice.id}`);
      await database.write(sql`INSERT INTO shares SELECT made.* FROM shares AS s, ${sharers} AS sharer,
        jsonb_populate_record(s, jsonb_build_object('owner_id', sharer.id, 'graph_owner_id', sharer.id, 'id', gen_random_uuid())) AS made
        WHERE s.id = ${share}`);
      await database.write(sql`UPDATE sequences SET policy = policy + 1 WHERE id = ${bob.id}`);
      await database.write(sql.raw('ANALYZE node_words'));
    });
  }

  it.each([
    ['some tags', async () => ({ scope: 'specific_tags', tag_ids: [await tagId(alice, 'sea')] })],
    ['single nodes', (shared: string) => ({ scope: 'specific_nodes', node_ids: [shared] })],
    ['everything', () => ({ scope: 'all' })],
  ])(
    'a tag on no node that a sharer of %s shares changes no statement (rule 4.18i)',
    async (scope, bodyOf) => {
      const { id } = await node(alice, { title: 'the harbour', tags: ['sea'] });
      await node(bob, { title: 'a harbour', tags: ['harbour life'] });
      const hidden = (await node(alice, { title: 'diary', tags: ['land'] })).id as string;
      await shares(await bodyOf(id as string));
      if (scope === 'everything') expect((await alice.delete(`/nodes/${hidden}`)).status).toBe(204);
      const query = { query: 'lighthouse harbour' };
      const before = await sentBy(query);
      await tagId(alice, 'lighthouse');
      if (scope !== 'everything')
        expect((await alice.put(`/nodes/${hidden}`, { tags: ['land', 'lighthouse'] })).status).toBe(200);
      const after = await sentBy(query);
      const comparable = ({ titles, sent }: typeof before) => [
        titles,
        sent.map(({ name, statement: { text, values } }) => [name, text, values]),
      ];
      expect(comparable(after)).toEqual(comparable(before));
      expect(after.titles).toEqual(['a harbour', 'the harbour']);
      expect((await alice.put(`/nodes/${id}`, { tags: ['sea', 'lighthouse'] })).status).toBe(200);
      expect(comparable(await sentBy(query))).not.toEqual(comparable(before));
      expect((await sentBy({ query: 'lighthouse' })).titles).toEqual(['the harbour']);
    },
  );

  it('nodes are found by the first hundred tags of a sharer with a word of the question (rule 4.18i)', async () => {
    const tags = Array.from({ length: 150 }, (_, place) => `lighthouse ${place}`);
    const nodes = tags.map((name, place) => ({ title: `entry ${place}`, node_type: 'thing', tags: [name] }));
    for (const part of [nodes.slice(0, 100), nodes.slice(100)])
      expect((await alice.post('/nodes/batch', { nodes: part })).status).toBe(201);
    await shares({ scope: 'all' });
    const first = (await tagsOf(alice)).slice(0, 100);
    const answer = await bob.post('/nodes/search', { query: 'lighthouse', limit: 100 });
    expect([answer.status, answer.body.total]).toEqual([200, 100]);
    const found = titlesOf(answer).map((title) => title.replace('entry', 'lighthouse'));
    expect(found.sort()).toEqual(first.map(({ name }) => name).sort());
  });

  it('a misspelt word means words of the first hundred tags of a sharer', async () => {
    const names = Array.from({ length: 120 }, (_, place) => `number ${place}`);
    for (const place of [0, 40, 80])
      await node(alice, { title: `entry ${place}`, tags: names.slice(place, place + 40) });
    await shares({ scope: 'all' });
    const tags = await tagsOf(alice);
    const search = async (query: string): Promise<unknown> => {
      const { body } = await bob.post('/nodes/search', { query });
      return [body.total, body.corrections];
    };
    expect((await alice.put(`/tags/${tags.at(-1)?.id}`, { name: 'lighthouse' })).status).toBe(200);
    expect(await search('lighthouse')).toEqual([1, []]);
    expect(await search('lighthuose')).toEqual([0, []]);
    expect((await alice.put(`/tags/${tags[0]?.id}`, { name: 'harbour' })).status).toBe(200);
    expect(await search('harbur')).toEqual([1, [{ word: 'harbur', sought: ['harbour'] }]]);
  });

  it('two thousand tags of all sharers are looked at, those of the first by id (rule 4.18i)', async () => {
    await node(alice, { title: 'one', tags: ['lighthouse'] });
    const share = await shares({ scope: 'all' });
    await sharersLike(share, { sharers: 22, tags: 100, nodes: 1 });
    const answer = await bob.post('/nodes/search', { query: 'lighthouse' });
    expect([answer.status, answer.body.total]).toEqual([200, 20]);
  });

  it('the tagged nodes of each of many sharers are read once', async () => {
    await node(alice, { title: 'one', tags: ['lighthouse'] });
    const share = await shares({ scope: 'all' });
    const database = world.nest.get(Database);
    await sharersLike(share, { sharers: SHARERS, tags: 1, nodes: NODES });
    const { sent } = await sentBy({ query: 'lighthouse' });
    const tags = sent.findLast(({ name }) => name === 'search-tags') as Sent;
    const [looked] = await database.read<Explained>(sql`EXPLAIN (ANALYZE, FORMAT JSON) ${tags.statement}`);
    const looks = visitedRows('node_words', (looked as Explained)['QUERY PLAN'][0].Plan);
    expect(looks).toBe(SHARERS + 1);
    const { statement } = sent.find(({ name }) => name === 'search') as Sent;
    // PostgreSQL reads a table of this size as a whole; the plan of a large one is asked for.
    const [explained] = await world.nest.get(UnitOfWork).run(async () => {
      await database.write(sql.raw('SET LOCAL enable_seqscan = off'));
      return database.write<Explained>(sql`EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`);
    });
    const visited = visitedRows('node_words', (explained as Explained)['QUERY PLAN'][0].Plan);
    expect(visited).toBeGreaterThanOrEqual(SHARERS * NODES);
    expect(visited).toBeLessThan(2 * SHARERS * NODES);
  });
});
