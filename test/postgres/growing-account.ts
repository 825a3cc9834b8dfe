import { letsIn, profile } from '../support/worlds/nodes.js';
import { upload } from '../support/worlds/files.js';
import { Authenticator } from '../support/authenticator.js';
import { type Client } from '../support/client.js';
import { type Operation } from '../support/operations.js';
import { idOf, Place, type Things } from '../support/plausible.js';
import { type TestUser, type World } from '../support/world.js';

/** The address at which people open the service; passkeys are for a host. */
export const PUBLIC_URL = 'https://graph.example';
const AGENT = '0190aaaa-0000-7000-8000-000000000001';

export const CALLERS = ['owner', 'app', 'masked'] as const;
/** `app` may read nodes with one of two tags and without a third; `masked` may read everything, altered. */
export type Caller = (typeof CALLERS)[number];

interface Asker {
  client: Client;
  things: Things;
}

/** An owner with one of everything, and the callers. */
export interface GrowingAccount {
  owner: TestUser;
  askers: Readonly<Record<Caller, Asker>>;
  /** Raises the owner's counter by a change that invalidates every total. */
  touch: () => Promise<unknown>;
}

export async function growingAccount(world: World): Promise<GrowingAccount> {
  const { user: owner, things } = await Place.make(world);
  const tag = (name: string) => idOf(owner, '/tags', { name });
  const [work, secret] = [await tag('work'), await tag('secret')];
  const app = await letsIn(world, owner, narrow(things.tag, work, secret));
  const masked = await letsIn(world, owner, profile(EVERYTHING, { transformations: MASKS }));
  const schema = await idOf(owner, '/schemas', {
    name: 'diary',
    category: 'life',
    json_schema: { type: 'object' },
  });
  const [node, ...others] = (await nodesOf(await owner.lets(await world.app()), schema)) as [string, string];
  await owner.put(`/nodes/${node}`, { title: 'the hub, again', tags: ['shelf', 'work'] });
  for (const to_node_id of others)
    await idOf(owner, '/relationships', { from_node_id: node, to_node_id, relationship_type: 'near' });
  for (const id of [node, ...others])
    await owner.put(`/nodes/${id}/embedding`, { embedding: [0.1, 0.2, 0.3] });
  const gone = await idOf(owner, '/nodes', { title: 'gone', node_type: 'note', tags: ['shelf'] });
  await owner.delete(`/nodes/${gone}`);
  await passkey(owner);
  const { id: file } = (await upload(owner, '/raw-files')).body;
  await owner.post(`/raw-files/${file}/tags`, { tag_id: things.tag });
  Object.assign(things, { node, schema, file, 'node to download': file, agent_id: AGENT });
  await dealings(world, owner, things);
  Object.assign(things, { username: owner.name, subscriber: await webhook(owner) });
  const askers = {
    owner: { client: owner, things },
    app: await asker(app, things),
    masked: await asker(masked, things),
  };
  // The log is written after the answers: it is read once so that it has rows to copy.
  await owner.get('/access-log');
  const spare = await idOf(owner, '/nodes', { title: 'spare', node_type: 'note' });
  return {
    owner,
    askers,
    touch: () => owner.put(`/nodes/${spare}`, { title: `spare ${world.number()}` }),
  };
}

/** Nodes with any of two tags and without a third. */
const narrow = (...[shelf, work, secret]: string[]) =>
  profile({ ...VERBS, read: [shelf as string, work as string] }, { tag_filters: { exclude_any: [secret] } });

const VERBS = { discover: 'all', propose: 'all' } as const;
const EVERYTHING = { ...VERBS, read: 'all' } as const;
const MASKS = ['pii_redaction', { type: 'truncate', config: { field: 'value', max: 10 } }];

async function nodesOf(app: Client, schema_id: string): Promise<string[]> {
  const tags = [['shelf', 'work'], ['shelf', 'secret'], ['work']];
  const nodes = tags.map((of, i) => ({
    title: `common word ${i}`,
    value: i === 0 ? 'rarity' : 'quiet',
    node_type: i === 0 ? 'journal' : 'note',
    tags: of,
    metadata: { mood: 'calm' },
    ...(i === 0 ? { schema_id } : {}),
    agent_metadata: { agent_id: AGENT, session_id: 'a run', confidence_score: 0.5 },
  }));
  const { body, text } = await app.post('/nodes/batch', { nodes });
  if (body.created?.length !== nodes.length) throw new Error(text);
  return (body.created as { id: string }[]).map(({ id }) => id);
}

async function passkey(owner: TestUser): Promise<void> {
  const { public_key } = (await owner.post('/auth/passkeys/options')).body;
  const credential = new Authenticator(PUBLIC_URL).create(public_key);
  await idOf(owner, '/auth/passkeys', { name: 'a phone', credential });
}

/** Relations with others: shares and follows both ways, a blocked user, groups, invitations, connections. */
async function dealings(world: World, owner: TestUser, things: Things): Promise<void> {
  const friend = await world.user();
  await friend.patch('/auth/me', { is_public: true });
  await idOf(friend, '/nodes', { title: 'common word of a friend', node_type: 'note', tags: ['given'] });
  const given = { shared_with_user_id: owner.id, scope: 'all', can_share: true };
  await idOf(friend, '/sharing', given);
  const share_id = await idOf(owner, '/sharing', {
    shared_with_user_id: friend.id,
    scope: 'specific_nodes',
    node_ids: [things.node],
  });
  await idOf(owner, '/follows', { target_user_id: (await world.user()).id });
  await owner.put(`/blocked-users/${(await world.user()).id}`);
  const follow_id = await idOf(friend, '/follows', { target_user_id: owner.id });
  const theirs = await idOf(friend, '/groups', { name: 'theirs' });
  await idOf(friend, `/groups/${theirs}/invitations`, { user_id: owner.id });
  await idOf(friend, `/groups/${theirs}/connections`, { target_group_id: things.group });
  const group = things.group as string;
  await idOf(owner, `/groups/${group}/connections`, {
    target_group_id: await idOf(friend, '/groups', { name: 'far' }),
  });
  await idOf(owner, `/groups/${group}/invitations`, { user_id: (await world.user()).id });
  const member = await world.user();
  const invited = await idOf(owner, `/groups/${group}/invitations`, { user_id: member.id });
  await member.put(`/groups/invitations/${invited}`, { action: 'accept' });
  await owner.post(`/groups/${group}/share`, { exposure_profile_id: things.profile });
  await member.post(`/groups/${group}/share`, {
    exposure_profile_id: await idOf(member, '/exposure-profiles/from-template', {
      template: 'transparent',
      name: 'mine',
    }),
  });
  const node = await idOf(owner, `/groups/${group}/nodes`, {
    title: 'common word',
    node_type: 'note',
    tags: ['ours'],
  });
  await idOf(owner, `/groups/${group}/exposure-profiles`, { name: 'guests' });
  Object.assign(things, { share_id, follow_id, 'node of the group': node });
}

const WEBHOOK = { webhook_url: 'http://127.0.0.1:9/', events: ['node.created', 'node.updated'] };

/** The owner's own subscription, to the events that one of their authorized apps may see. */
async function webhook(owner: TestUser): Promise<string> {
  const { body } = await owner.get('/authorizations');
  const app_id = body.authorizations[0].app_id as string;
  await owner.post('/webhooks/subscribe', { app_id, ...WEBHOOK });
  await owner.post(`/webhooks/subscription/test?app_id=${app_id}`);
  return app_id;
}

/** An app with a session, a proposal and a subscription of its own. */
async function asker(client: Client, things: Things): Promise<Asker> {
  const session = await idOf(client, '/sessions', {});
  const { id: app } = (await client.get('/apps/current')).body;
  const proposed = { title: 'a proposal', canonical_data: { title: 'thought', node_type: 'note' } };
  const proposal = await idOf(client, '/proposals', proposed);
  await client.post('/webhooks/subscribe', WEBHOOK);
  await client.post('/webhooks/subscription/test');
  return { client, things: { ...things, session, proposal, app, third_party_id: app } };
}

/** The callers that an operation admits. */
export function callersOf({ callers }: Operation): readonly Caller[] {
  if (callers === 'any') return CALLERS;
  return callers === 'key' ? ['app'] : ['owner'];
}
