import { jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Database } from '../../src/kernel/database/database.js';
import { PART_BYTES } from '../../src/kernel/database/page-bytes.js';
import { type Sql, sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { codeOf, letsIn, node, profile } from '../support/worlds/nodes.js';
import { exported, imports, rowsOf, zipped } from '../portability/archives.js';
import { type Client } from '../support/client.js';
import { type TestUser, type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

const TEXTS = ['agent_name', 'agent_type', 'agent_version', 'extraction_method', 'session_id'];
const MANY = 150;
/** Four bytes in UTF-8, and one character. */
const WIDE = '🜨';

describe('agent_metadata', () => {
  let world: World;
  let user: TestUser;

  withWorld((started) => (world = started));
  beforeEach(async () => {
    user = await world.user();
  });
  afterEach(() => jest.restoreAllMocks());

  const write = (statement: Sql): Promise<unknown> =>
    world.nest.get(UnitOfWork).run(() => world.nest.get(Database).write(statement));

  /** Texts as an earlier release accepted them. */
  async function lengthen({ id }: TestUser): Promise<void> {
    const long = sql`jsonb_build_object('agent_name', repeat('n', 5000), 'agent_type', repeat('t', 5000))`;
    await write(
      sql`UPDATE nodes SET agent_metadata = agent_metadata || ${long} WHERE owner_id = ${id} AND agent_metadata IS NOT NULL`,
    );
    await write(
      sql`UPDATE changes SET snapshot = jsonb_set(snapshot, '{agent_metadata}', snapshot -> 'agent_metadata' || ${long})
        WHERE owner_id = ${id} AND jsonb_typeof(snapshot -> 'agent_metadata') = 'object'`,
    );
    await write(
      sql`UPDATE sessions SET external_id = repeat('s', 5000), agent_name = repeat('n', 5000), error = repeat('e', 5000)
        WHERE owner_id = ${id}`,
    );
  }
  const byAgent = (more: object = {}) => ({
    agent_metadata: { agent_id: randomUUID(), agent_name: 'Reader', agent_type: 'reader', ...more },
  });
  const lists = async (client: Client, path: string, list: string) =>
    (await client.get(path)).body[list] as Record<string, unknown>[];

  it('texts of agents of more than 1,000 characters are refused by their path wherever a node is written (rule 4.13f)', async () => {
    const { id } = await node(user, { title: 'a' });
    for (const field of TEXTS) {
      const agent_metadata = { [field]: WIDE.repeat(1001) };
      const body = { title: 'b', node_type: 'note', agent_metadata };
      const path = `agent_metadata.${field}`;
      for (const answer of [
        await user.post('/nodes', body),
        await user.put(`/nodes/${id}`, { agent_metadata }),
      ]) {
        expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
        expect(answer.body.error.details).toMatchObject([{ field: path }]);
      }
      const batch = await user.post('/nodes/batch', { nodes: [body] });
      expect(batch.body.errors).toMatchObject([{ code: 'VALIDATION_ERROR' }]);
      await node(user, { agent_metadata: { [field]: WIDE.repeat(1000) } });
    }
  });

  it('texts of agents that are hidden from a writer do not count for it, however long they are stored', async () => {
    const mask = { type: 'field_mask', config: { paths: ['agent_metadata.agent_name'] } };
    const app = await letsIn(world, user, profile({ read: 'all', edit: 'all' }, { transformations: [mask] }));
    const { id } = await node(user, byAgent({ agent_type: undefined }));
    await write(
      sql`UPDATE nodes SET agent_metadata = agent_metadata || jsonb_build_object('agent_name', repeat('n', 5000))
        WHERE owner_id = ${user.id}`,
    );
    expect((await app.put(`/nodes/${id}`, { agent_metadata: { agent_version: '2' } })).status).toBe(200);
    const { agent_metadata } = (await user.get(`/nodes/${id}`)).body;
    expect(agent_metadata).toMatchObject({ agent_version: '2', agent_name: 'n'.repeat(5000) });
  });

  it('texts of agents that an earlier release stored are cut in sessions, statistics and ledgers (rule 7.5)', async () => {
    const { id } = await node(user, byAgent({ session_id: 'short' }));
    await lengthen(user);
    const [session] = await lists(user, '/sessions', 'sessions');
    const cut = { external_id: 's'.repeat(1000), agent_name: 'n'.repeat(1000), error: 'e'.repeat(2000) };
    expect(session).toMatchObject(cut);
    const one = `/sessions/${String(session?.['id'])}`;
    expect((await user.get(one)).body).toEqual(session);
    expect((await user.patch(one, { status: 'completed' })).body).toMatchObject(cut);
    expect(rowsOf(await exported(user), 'data/sessions.ndjson')).toMatchObject([{ error: 'e'.repeat(5000) }]);
    expect(await lists(user, '/analytics/agent-stats', 'agent_stats')).toMatchObject([
      { agent_name: 'n'.repeat(1000) },
    ]);
    expect(await lists(user, `/nodes/${id}/ledger`, 'agents')).toMatchObject([
      { agent_name: 'n'.repeat(1000), agent_type: 't'.repeat(1000) },
    ]);
  });

  it('texts of agents that an earlier release stored are hidden from apps whose masks change them: a cut text may hide its form', async () => {
    await node(user, byAgent());
    const mask = { type: 'pii_redaction', config: { entities: ['email'] } };
    const app = await letsIn(world, user, profile({ read: 'all' }, { transformations: [mask] }));
    const names = async () =>
      (await lists(app, '/analytics/agent-stats', 'agent_stats')).map((a) => a['agent_name']);
    expect(await names()).toEqual(['Reader']);
    await lengthen(user);
    expect(await names()).toEqual([null]);
  });

  it('texts of agents that an earlier release stored come back from an archive as they were', async () => {
    await node(user, byAgent({ session_id: 'short' }));
    await lengthen(user);
    const archive = await exported(user);
    const other = await world.user();
    expect((await imports(other, await zipped(archive))).status).toBe(201);
    const back = await exported(other);
    expect(rowsOf(back, 'data/nodes.ndjson')).toMatchObject([
      { agent_metadata: { agent_name: 'n'.repeat(5000) } },
    ]);
    expect(rowsOf(back, 'data/sessions.ndjson')).toMatchObject([{ external_id: 's'.repeat(5000) }]);
  });

  describe('paging', () => {
    const wide = WIDE.repeat(1000);
    beforeEach(async () => {
      for (let start = 0; start < MANY; start += 50) {
        const nodes = Array.from({ length: 50 }, (_, n) => ({
          title: `n ${start + n}`,
          node_type: 'note',
          ...byAgent({ agent_name: wide, session_id: `${start + n} ${wide.slice(20)}` }),
        }));
        expect((await user.post('/nodes/batch', { nodes })).status).toBeLessThan(300);
      }
    });

    it.each([
      ['/sessions?limit=200', 'sessions'],
      ['/analytics/agent-stats?limit=1000', 'agent_stats'],
    ])(
      'texts of agents of many agents are read from %s in parts of few bytes, and all of them are listed (rule 4.7b)',
      async (path, list) => {
        const read = jest.spyOn(Database.prototype, 'read');
        const { body } = await user.get(path);
        expect(new Set((body[list] as object[]).map((item) => JSON.stringify(item))).size).toBe(MANY);
        expect(body.total).toBe(MANY);
        const sizes = await Promise.all(
          read.mock.results.map(async ({ value }) => Buffer.byteLength(JSON.stringify(await value) ?? '')),
        );
        expect(Math.max(...sizes)).toBeGreaterThan(PART_BYTES / 2);
        expect(Math.max(...sizes)).toBeLessThan(1.5 * PART_BYTES);
      },
    );

    it('texts of agents of many agents are paged in statistics', async () => {
      const page = async (offset: number) =>
        (await user.get(`/analytics/agent-stats?limit=100&offset=${offset}`)).body;
      const [first, second, beyond] = [await page(0), await page(100), await page(200)];
      expect(first).toMatchObject({ total_agents: MANY, total: MANY, limit: 100, offset: 0 });
      expect(second).toMatchObject({ total_agents: MANY, total: MANY, limit: 100, offset: 100 });
      expect(beyond).toEqual({ agent_stats: [], total_agents: MANY, total: MANY, limit: 100, offset: 200 });
      const ids = [...first.agent_stats, ...second.agent_stats].map(({ agent_id }) => agent_id as string);
      expect([ids.length, new Set(ids).size]).toEqual([MANY, MANY]);
    });
  });

  it('texts of agents of a node are paged in its ledger', async () => {
    const { id } = await node(user, byAgent());
    await user.put(`/nodes/${id}`, { title: 'b', ...byAgent() });
    const page = async (offset: number) =>
      (await user.get(`/nodes/${id}/ledger?limit=1&offset=${offset}`)).body;
    const [first, second] = [await page(0), await page(1)];
    expect(first).toMatchObject({ node_id: id, total_agents: 2, total: 2, limit: 1, offset: 0 });
    expect(
      new Set([first, second].flatMap(({ agents }) => agents).map(({ agent_id }) => agent_id)).size,
    ).toBe(2);
  });
});
