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

  it('the tagged nodes of each of many sharers are read once', async () => {
    await node(alice, { title: 'one', tags: ['lighthouse'] });
    const share = await shares({ scope: 'all' });
    const database = world.nest.get(Database);
    await world.nest.get(UnitOfWork).run(async () => {
      const sharers = sql`(SELECT ('00000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid AS id,
        ('00000000-0000-4000-8001-' || lpad(i::text, 12, '0'))::uuid AS tag_id FROM generate_series(1, ${SHARERS}::integer) AS i)`;
      await database.write(sql`INSERT INTO sequences (id) SELECT id FROM ${sharers} AS sharer`);
      await database.write(sql`INSERT INTO tags SELECT made.* FROM tags AS t, ${sharers} AS sharer,
        jsonb_populate_record(t, jsonb_build_object('owner_id', sharer.id, 'id', sharer.tag_id)) AS made WHERE t.owner_id = ${alice.id}`);
      await database.write(sql`INSERT INTO nodes SELECT made.* FROM nodes AS n, ${sharers} AS sharer, generate_series(1, ${NODES}::integer) AS place,
        jsonb_populate_record(n, jsonb_build_object('owner_id', sharer.id, 'id', gen_random_uuid(), 'title', 'one ' || place,
          'tag_ids', jsonb_build_array(sharer.tag_id))) AS made WHERE n.owner_id = ${alice.id}`);
      await database.write(sql`INSERT INTO shares SELECT made.* FROM shares AS s, ${sharers} AS sharer,
        jsonb_populate_record(s, jsonb_build_object('owner_id', sharer.id, 'graph_owner_id', sharer.id, 'id', gen_random_uuid())) AS made
        WHERE s.id = ${share}`);
      await database.write(sql`UPDATE sequences SET policy = policy + 1 WHERE id = ${bob.id}`);
      await database.write(sql.raw('ANALYZE node_words'));
    });
    const { sent } = await sentBy({ query: 'lighthouse' });
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
