import { randomUUID } from 'node:crypto';
import { Database } from '../../src/kernel/database/database.js';
import { letsIn, profile } from '../support/worlds/nodes.js';
import { type Client } from '../support/client.js';
import { sentStatements } from '../support/sent-statements.js';
import { type TestUser, World } from '../support/world.js';

const agent = randomUUID();

describe('database load', () => {
  let world: World;
  let names: string[];

  beforeAll(async () => {
    world = await World.startHere();
    names = sentStatements(world.nest.get(Database)).names;
  });
  afterAll(() => world.stop());

  /** A person with that many nodes, one of them with as many versions, in as many sessions. */
  async function furnished(size: number): Promise<{ user: TestUser; node: string }> {
    const user = await world.user();
    const nodes = Array.from({ length: size }, (_, i) => ({
      title: `n ${i}`,
      node_type: 'note',
      agent_metadata: { agent_id: i % 2 === 0 ? agent : randomUUID(), session_id: `s ${i}` },
    }));
    const { body } = await user.post('/nodes/batch', { nodes });
    const node = body.created[0].id as string;
    for (let i = 0; i < size; i++) await user.put(`/nodes/${node}`, { title: `v ${i}` });
    return { user, node };
  }

  const during = async (client: Client, path: string): Promise<string[]> => {
    names.length = 0;
    const { status, text } = await client.get(path);
    if (status !== 200) throw new Error(text);
    return [...names].sort();
  };

  it.each([
    ['the owner', undefined],
    ['an app', profile({ read: 'all' })],
    [
      'an app with transformations',
      profile({ read: 'all' }, { transformations: ['pii_redaction', 'round_date'] }),
    ],
  ])('the number of statements for history is the same for 30 rows as for one: %s', async (_, body) => {
    const counted: string[][][] = [];
    for (const size of [1, 30]) {
      names.length = 0;
      const { user, node } = await furnished(size);
      const client = body ? await letsIn(world, user, body) : user;
      // The shown steps of a caller are computed once.
      await client.get('/nodes/history');
      const paths = [
        `/nodes/${node}/history?include_snapshots=true`,
        `/nodes/${node}/history?start_date=2000-01-01`,
        `/nodes/${node}/history/1`,
        `/nodes/${node}/history/at-time?timestamp=2999-01-01`,
        `/nodes/${node}/contributions?status=all`,
        `/nodes/${node}/ledger`,
        '/nodes/history',
        `/agents/${agent}/contributions`,
        '/sessions',
        '/analytics/agent-stats',
        '/analytics/history-stats',
        ...(body ? [] : ['/graph/snapshot?timestamp=2999-01-01']),
      ];
      const each: string[][] = [];
      for (const path of paths) each.push(await during(client, path));
      counted.push(each);
    }
    expect(counted[1]).toEqual(counted[0]);
    // Sessions of apps with masks take nine: which contributions count, their states and hidden steps are read apart.
    expect(Math.max(...(counted[0] ?? []).map(({ length }) => length))).toBeLessThanOrEqual(9);
  });

  it('the number of statements for history of a create is the node and nothing beside it', async () => {
    const user = await world.user();
    await user.post('/nodes', { title: 'a', node_type: 'note' });
    names.length = 0;
    await user.post('/nodes', {
      title: 'b',
      node_type: 'note',
      agent_metadata: { agent_id: agent, session_id: 's' },
    });
    // The statement that writes the log writes the node, too.
    expect(names).toEqual(['node-insert']);
  });
});
