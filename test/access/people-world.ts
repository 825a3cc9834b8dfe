import { assigns, group } from '../support/worlds/people.js';
import { allSchemas, allTags, someTags } from '../support/defaults.js';
import { type Client } from '../support/client.js';
import { type TestUser, type World } from '../support/world.js';

export const PEOPLE = [
  'grantee',
  'writer',
  'deleter',
  'former grantee',
  'grantee app',
  'app of a writer to whom a stranger shares',
  'blocker',
  're-share recipient',
  'cut re-share recipient',
  'follower',
  'member',
  'member with profile',
  'former member',
  'invited',
] as const;
export type Person = (typeof PEOPLE)[number];

/** Groups of people around the owner: recipients of shares and followers, and a group. */
export type Circle = 'shares' | 'group';

/** Adds people around a person's graph, and a group of that person's. @returns ids by name */
export async function befriend(
  world: World,
  alice: TestUser,
  { ids, circles }: { ids: Map<string, string>; circles: readonly Circle[] },
): Promise<Map<Person, Client>> {
  const people = new Map<Person, TestUser>();
  const person = async (who: Person): Promise<TestUser> => {
    const user = await world.user();
    people.set(who, user);
    ids.set(who, user.id);
    return user;
  };
  const made = async (by: TestUser, path: string, body: object): Promise<string> => {
    const answer = await by.post(path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body.id as string;
  };
  ids.set('alice', alice.id).set('stranger', (await world.user()).id);
  const making = { ids, person, made };
  if (circles.includes('shares')) await furnishShares(world, alice, making);
  if (circles.includes('group')) await furnishGroup(world, alice, making);
  const clients = new Map<Person, Client>(people);
  const app = people.has('grantee') ? await world.app() : null;
  for (const [who, recipient] of [
    ['grantee app', people.get('grantee')],
    ['app of a writer to whom a stranger shares', people.get('writer')],
  ] as const)
    if (recipient !== undefined && app !== null) clients.set(who, await recipient.lets(app));
  return clients;
}

interface Making {
  ids: Map<string, string>;
  person: (who: Person) => Promise<TestUser>;
  made: (by: TestUser, path: string, body: object) => Promise<string>;
}

async function furnishShares(world: World, alice: TestUser, { ids, person, made }: Making): Promise<void> {
  const work = { scope: 'specific_tags', tag_ids: [ids.get('tag.work')] };
  const share = (to: TestUser, rights: object = {}) =>
    made(alice, '/sharing', { shared_with_user_id: to.id, ...work, ...rights });
  const shareOn = async (from: TestUser, to: TestUser) =>
    made(from, '/sharing', {
      shared_with_user_id: to.id,
      scope: 'specific_nodes',
      node_ids: [ids.get('work')],
    });
  const grantee = await person('grantee');
  ids.set('share', await share(grantee));
  await made(grantee, '/follows', { target_user_id: alice.id });
  await share(await person('writer'), { can_write: true });
  await share(await person('deleter'), { can_delete: true });
  await alice.delete(`/sharing/${await share(await person('former grantee'))}`);
  const blocking = await person('blocker');
  await share(blocking, { can_write: true, can_delete: true, can_share: true });
  await made(alice, '/follows', { target_user_id: blocking.id });
  await blocking.put(`/blocked-users/${alice.id}`);
  const [sharer, cut] = [await world.user(), await world.user()];
  await share(sharer, { can_share: true, can_write: true });
  const parent = await share(cut, { can_share: true });
  await shareOn(sharer, await person('re-share recipient'));
  await shareOn(cut, await person('cut re-share recipient'));
  await alice.delete(`/sharing/${parent}`);
  const follow = await made(await person('follower'), '/follows', { target_user_id: alice.id });
  await alice.put(`/follows/${follow}/respond`, { action: 'accept', share: { scope: 'all' } });
  ids.set('follow', follow);
}

async function furnishGroup(world: World, alice: TestUser, { ids, person, made }: Making): Promise<void> {
  const sharer = await world.user();
  const [member, profiled, former] = [
    await person('member'),
    await person('member with profile'),
    await person('former member'),
  ];
  const id = await group(alice, [member, profiled, former, sharer]);
  ids.set('group', id);
  const node = (tags: string[]) =>
    made(alice, `/groups/${id}/nodes`, { title: 'x', node_type: 'note', tags });
  ids.set('g.work', await node(['gw'])).set('g.other', await node(['go']));
  ids.set('shared.in', await made(sharer, '/nodes', { title: 'y', node_type: 'note' }));
  const all = { name: 'all', tag_permissions: { read: allTags }, schema_permissions: allSchemas };
  const exposure_profile_id = await made(sharer, '/exposure-profiles', all);
  await sharer.post(`/groups/${id}/share`, { exposure_profile_id });
  const { tags } = (await alice.get(`/groups/${id}/tags`)).body;
  const granted = someTags(tags.find(({ name }: { name: string }) => name === 'gw').id);
  const body = { tag_permissions: { read: granted, edit: granted, create: granted } };
  ids.set('g.profile', await assigns(alice, id, { to: profiled, body }));
  await former.delete(`/groups/${id}/members/${former.id}`);
  const invited = await person('invited');
  ids.set('invitation', await made(alice, `/groups/${id}/invitations`, { user_id: invited.id }));
  const target = await world.user();
  const target_group_id = await group(target);
  ids.set('connection', await made(alice, `/groups/${id}/connections`, { target_group_id }));
}
