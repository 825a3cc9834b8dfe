import { type Pool } from '../../interference/pool.js';
import { type Client } from '../../support/client.js';
import { type Place, type Things } from '../../support/plausible.js';
import { type World } from '../../support/world.js';

/** People and groups that bodies name, as opposed to the own things in paths. */
export type Others = Pick<Things, 'user' | 'group'> & { subscriber: string };

/** Others around a person, and one of everything that two people can share, so that requests find them. */
export async function circleAround(world: World, place: Place, pool: Pool): Promise<Others> {
  const { user, things } = place;
  const [friend, other] = [await world.user(), await world.user()];
  const id = async (by: Client, kind: string, path: string, body: object): Promise<string> => {
    const { status, body: made, text } = await by.post(path, body);
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
    pool.knows(kind, made.id as string);
    return made.id as string;
  };
  pool.knows('user', friend.id, other.id);
  await id(user, 'share', '/sharing', { shared_with_user_id: other.id, scope: 'all' });
  await id(user, 'follow', '/follows', { target_user_id: other.id });
  await id(friend, 'follow', '/follows', { target_user_id: user.id });
  const theirs = await id(friend, 'group', '/groups', { name: 'theirs' });
  await id(user, 'invitation', `/groups/${things.group}/invitations`, { user_id: other.id });
  await id(friend, 'invitation', `/groups/${theirs}/invitations`, { user_id: user.id });
  await id(friend, 'connection', `/groups/${theirs}/connections`, { target_group_id: things.group });
  await id(user, 'node', `/groups/${things.group}/nodes`, { title: 'ours', node_type: 'note' });
  const { body } = await user.get('/authorizations');
  const subscriber = body.authorizations[0].app_id as string;
  pool.knows('app', subscriber);
  const subscription = { app_id: subscriber, webhook_url: 'https://example.org/', events: ['node.created'] };
  await user.post('/webhooks/subscribe', subscription);
  return { user: friend.id, group: theirs, subscriber };
}
