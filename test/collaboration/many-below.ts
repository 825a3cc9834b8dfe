import { Database } from '../../src/kernel/database/database.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { sql } from '../../src/kernel/database/sql.js';
import { node } from '../support/worlds/nodes.js';
import { type TestUser, type World } from '../support/world.js';

/** More re-shares than one transaction ends. */
const MANY = 250;

/** A node that Alice shares with Bob, Bob with Carol, and Carol with Dave and with many others. */
export interface ManyBelow {
  alice: TestUser;
  bob: TestUser;
  dave: TestUser;
  nodeId: string;
  /** The share of Alice and the one of Bob. */
  first: string;
  second: string;
}

export async function manyBelow(world: World): Promise<ManyBelow> {
  const [alice, bob, carol, dave] = [
    await world.user(),
    await world.user(),
    await world.user(),
    await world.user(),
  ];
  const { id: nodeId } = await node(alice, { title: 'passed on' });
  const share = async (from: TestUser, to: TestUser): Promise<string> => {
    const body = { shared_with_user_id: to.id, scope: 'specific_nodes', node_ids: [nodeId], can_share: true };
    const made = await from.post('/sharing', body);
    if (made.status !== 201) throw new Error(`share: ${made.status} ${made.text}`);
    return made.body.id;
  };
  const [first, second] = [await share(alice, bob), await share(bob, carol)];
  const last = await share(carol, dave);
  await world.nest.get(UnitOfWork).run(() =>
    world.nest.get(Database).write(
      sql`INSERT INTO shares (owner_id, id, graph_owner_id, shared_with_user_id, scope, node_ids, can_read, can_write,
          can_delete, can_share, source, parent_owner_id, parent_share_id, created_at, updated_at)
        SELECT owner_id, gen_random_uuid(), graph_owner_id, gen_random_uuid(), scope, node_ids, can_read, can_write,
          can_delete, can_share, source, parent_owner_id, parent_share_id, created_at, updated_at
        FROM shares, generate_series(1, ${MANY}) WHERE id = ${last}`,
    ),
  );
  return { alice, bob, dave, nodeId, first, second };
}

/** The numbers of ends in the logs of the people below Bob's share, each with the number of these people, Dave among them. */
export async function endsInLogs(world: World, { second }: ManyBelow): Promise<Record<number, number>> {
  const rows = await world.nest.get(Database).readCommitted<{ ends: number; people: number }>(
    sql`SELECT ends, count(*) AS people FROM (
        SELECT (SELECT count(*) FROM changes AS c WHERE c.owner_id = s.shared_with_user_id AND c.entity_id = s.id
          AND c.action = 'revoked') AS ends
        FROM shares AS s WHERE s.parent_share_id = ${second}) AS counted GROUP BY ends`,
  );
  return Object.fromEntries(rows.map(({ ends, people }) => [ends, people]));
}

export const EACH_ONCE = { 1: MANY + 1 };
export const NOBODY = { 0: MANY + 1 };
