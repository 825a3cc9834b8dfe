import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { type Client } from '../support/client.js';
import { type TestUser, type World } from '../support/world.js';
import { codeOf, node } from '../support/worlds/nodes.js';
import { approved, proposed } from '../support/worlds/proposals.js';
import { withAlice } from '../support/worlds/with-world.js';

/** An object of many values below one long key. */
const below = (length: number, count: number, value: unknown = 1) => ({
  ['k'.repeat(length)]: Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, value])),
});

describe('a proposal that changes values below long keys', () => {
  let world: World;
  let alice: TestUser;
  let client: Client;
  withAlice((met) => ({ world, alice } = met));
  beforeEach(async () => {
    client = await alice.lets(await world.app());
  });

  const update = (nodeId: string, changes: object) => ({
    type: 'UPDATE_NODE',
    canonical_data: { node_id: nodeId, changes },
  });
  const storedBytes = async (id: string): Promise<number> => {
    const [row] = await world.nest
      .get(Database)
      .read<{ bytes: number }>(
        sql`SELECT octet_length(prepared::text) AS bytes FROM proposals WHERE owner_id = ${alice.id} AND id = ${id}`,
      );
    return row!.bytes;
  };

  it('paths that repeat a long key too often are refused (rule 8.3g)', async () => {
    const { id } = await node(alice);
    const body = { title: 'long', ...update(id, { metadata: below(100_000, 50) }) };
    const refused = await client.post('/proposals', body);
    expect(codeOf(refused)).toEqual([400, 'VALIDATION_ERROR']);
    expect(refused.body.error.details).toMatchObject([{ field: 'canonical_data' }]);
    const changes = { metadata: below(100_000, 30) };
    const { id: proposal } = await proposed(client, update(id, changes));
    expect(await storedBytes(proposal)).toBeLessThan(4 * 1024 * 1024);
    const { status } = await client.patch(`/proposals/${proposal}`, {
      canonical_data: { node_id: id, changes: { metadata: below(100_000, 50) } },
    });
    expect(status).toBe(400);
  });

  it('an object that is replaced below a long key is one change, which can be undone (rule 8.3g)', async () => {
    const before = below(10_000, 500);
    const { id } = await node(alice, { agent_metadata: before });
    const after = below(10_000, 0);
    const proposal = await approved(alice, client, update(id, { agent_metadata: after }));
    expect(await storedBytes(proposal)).toBeLessThan(100_000);
    const stored = async () => (await alice.get(`/nodes/${id}`)).body.agent_metadata;
    expect((await alice.post(`/proposals/${proposal}/apply`)).body).toMatchObject({ errors: [] });
    expect(await stored()).toEqual(after);
    expect((await alice.post(`/proposals/${proposal}/revert`)).body).toMatchObject({ not_undone: [] });
    expect(await stored()).toEqual(before);
  });
});
