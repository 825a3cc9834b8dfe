import { type Client } from '../client.js';
import { type TestUser, World } from '../world.js';
import { withWorld } from './with-world.js';

export const UNKNOWN = '0197a3c2-6f0e-4c11-9d53-1a2b3c4d5e6f';
export const ABSENT = [404, 'NOT_FOUND'];
export const GONE = [404, 'NODE_NOT_FOUND'];
export const DENIED = [403, 'PERMISSION_DENIED'];
export const INVALID = [400, 'VALIDATION_ERROR'];
export const STATE = [409, 'INVALID_STATE_TRANSITION'];

export interface People {
  world: World;
  alice: TestUser;
  bob: TestUser;
  carol: TestUser;
}

/** One service for a file of tests, and three new people for each of them. */
export function withPeople(meet: (people: People) => void, start = () => World.start()): void {
  let world: World;
  withWorld((started) => (world = started), start);
  beforeEach(async () => {
    const [alice, bob, carol] = [await world.user(), await world.user(), await world.user()];
    meet({ world, alice, bob, carol });
  });
}

/** Makes somebody an acquaintance of a person, whose apps are shown what acquaintances share (rule 3.21). */
export async function getsToKnow(person: Client, other: { id: string }): Promise<void> {
  const asked = await person.post('/follows', { target_user_id: other.id });
  if (asked.status !== 201) throw new Error(`follow: ${asked.status} ${asked.text}`);
}

/** A group of an admin, with members who have accepted; throws when a step fails. */
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
