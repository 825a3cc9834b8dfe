import { type FullAccount } from './full-account.js';
import { largeNode, maskingProfile } from './largest-things.js';
import { type Prepare, type Preparation } from './preparations.js';
import { ok, type Somebody } from './somebody.js';
import { unique } from './unique.js';

type Visitors = (account: FullAccount) => Promise<Somebody>;

/** A group of the owner's that nothing has been done with. */
const groupOf = (account: FullAccount): Promise<string> => account.make('/groups', { name: unique('spare') });

const answered = async (person: Somebody, invitation_id: string): Promise<void> => {
  ok(await (await person.client()).put(`/groups/invitations/${invitation_id}`, { action: 'accept' }));
};

const sharing =
  (body: (account: FullAccount) => Preparation['body']): Prepare =>
  async (account) => {
    const group = await groupOf(account);
    await account.owner
      .client()
      .then(async (owner) =>
        ok(await owner.post(`/groups/${group}/share`, { exposure_profile_id: account.things.profile })),
      );
    return { things: { group }, body: body(account) };
  };

const inOwnGroup =
  (make: (account: FullAccount, group: string) => Promise<Preparation>): Prepare =>
  async (account) => {
    const group = await groupOf(account);
    const { things, ...rest } = await make(account, group);
    return { things: { group, ...things }, ...rest };
  };

/** Prepares operations on groups, each with a group of its own. */
export function groupPreparations(visitorOf: Visitors): Record<string, Prepare> {
  const invited = inOwnGroup(async (account, group) => {
    const { id } = await visitorOf(account);
    const invitation_id = await account.make(`/groups/${group}/invitations`, { user_id: id });
    return { things: { invitation_id } };
  });
  const withMember = (body?: (account: FullAccount) => Preparation['body']): Prepare =>
    inOwnGroup(async (account, group) => {
      const member = await visitorOf(account);
      await answered(member, await account.make(`/groups/${group}/invitations`, { user_id: member.id }));
      return { things: { user: member.id }, body: body?.(account) };
    });
  const connected = inOwnGroup(async (account, group) => {
    const visitor = await visitorOf(account);
    const theirs = await visitor.make('/groups', { name: unique('theirs') });
    const way = { target_group_id: group };
    return { things: { connection_id: await visitor.make(`/groups/${theirs}/connections`, way) } };
  });
  const withNode = inOwnGroup(async (account, group) => ({
    things: { node: await account.make(`/groups/${group}/nodes`, largeNode(700_000)) },
  }));
  const withProfile = inOwnGroup(async (account, group) => {
    const rules = { name: unique('ours'), ...maskingProfile() };
    return { things: { profile: await account.make(`/groups/${group}/exposure-profiles`, rules) } };
  });
  const profileOf = ({ things }: FullAccount): Preparation['body'] => ({
    exposure_profile_id: things.profile,
  });
  return {
    'PUT /groups/invitations/{invitation_id}': async (account) => {
      const visitor = await visitorOf(account);
      const group = await visitor.make('/groups', { name: unique('theirs') });
      const wish = { user_id: account.owner.id };
      return { things: { invitation_id: await visitor.make(`/groups/${group}/invitations`, wish) } };
    },
    'POST /groups/{group_id}/invitations': inOwnGroup(async (account) => ({
      body: { user_id: (await visitorOf(account)).id, message: 'm'.repeat(1_000) },
    })),
    'DELETE /groups/{group_id}/invitations/{invitation_id}': invited,
    'POST /groups/{group_id}/share': inOwnGroup((account) => Promise.resolve({ body: profileOf(account) })),
    'GET /groups/{group_id}/share': sharing(() => undefined),
    'PUT /groups/{group_id}/share': sharing(profileOf),
    'DELETE /groups/{group_id}/share': sharing(() => undefined),
    'PUT /groups/{group_id}/members/{user_id}': withMember(() => ({ role: 'admin' })),
    'DELETE /groups/{group_id}/members/{user_id}': withMember(),
    'POST /groups/{group_id}/members/{user_id}/promote': withMember(),
    'POST /groups/{group_id}/connections': inOwnGroup(async (account) => {
      const target_group_id = await (await visitorOf(account)).make('/groups', { name: unique('theirs') });
      return { body: { target_group_id, message: 'm'.repeat(1_000) } };
    }),
    'PUT /groups/{group_id}/connections/{connection_id}': connected,
    'DELETE /groups/{group_id}/connections/{connection_id}': connected,
    'GET /groups/{group_id}/nodes/{node_id}': withNode,
    'PUT /groups/{group_id}/nodes/{node_id}': withNode,
    'DELETE /groups/{group_id}/nodes/{node_id}': withNode,
    'PUT /groups/{group_id}/exposure-profiles/{profile_id}': withProfile,
    'DELETE /groups/{group_id}/exposure-profiles/{profile_id}': withProfile,
  };
}
