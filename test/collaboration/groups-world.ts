import { type TestUser } from '../support/world.js';

/** A group of an admin, with members who have accepted; fails loudly. */
export async function group(admin: TestUser, members: TestUser[] = [], body: object = {}): Promise<string> {
  const made = await admin.post('/groups', { name: 'crew', ...body });
  if (made.status !== 201) throw new Error(`group: ${made.status} ${made.text}`);
  for (const member of members) await joins(member, admin, made.body.id);
  return made.body.id as string;
}

export async function joins(
  user: TestUser,
  admin: TestUser,
  groupId: string,
  role = 'member',
): Promise<void> {
  const invited = await admin.post(`/groups/${groupId}/invitations`, { user_id: user.id, role });
  const answer = await user.put(`/groups/invitations/${invited.body.id}`, { action: 'accept' });
  if (answer.status !== 200) throw new Error(`join: ${answer.status} ${answer.text}`);
}

/** Makes a profile of the group and gives it to a member. */
export async function assigns(
  admin: TestUser,
  groupId: string,
  { to, body }: { to: TestUser; body: object },
): Promise<string> {
  const made = await admin.post(`/groups/${groupId}/exposure-profiles`, {
    name: `profile ${Math.random()}`,
    ...body,
  });
  if (made.status !== 201) throw new Error(`group profile: ${made.status} ${made.text}`);
  const assigned = await admin.put(`/groups/${groupId}/members/${to.id}`, {
    exposure_profile_id: made.body.id,
  });
  if (assigned.status !== 200) throw new Error(`assign: ${assigned.status} ${assigned.text}`);
  return made.body.id as string;
}
