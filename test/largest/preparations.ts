import { Secret, TOTP } from 'otpauth';
import { everything } from '../support/defaults.js';
import { type Things } from '../support/plausible.js';
import { type FullAccount } from './full-account.js';
import { groupPreparations } from './group-preparations.js';
import { type Body } from './largest-bodies.js';
import { smallNode } from './largest-things.js';
import { logInPreparations } from './log-in-preparations.js';
import { ok, PASSWORD, Somebody } from './somebody.js';
import { unique } from './unique.js';

/** Whatever of a request is not the account's or the caller's own. */
export interface Preparation {
  things?: Partial<Things>;
  body?: Body;
  credentials?: Record<string, string>;
  query?: string;
}

/** @param isOwner false for an app */
export type Prepare = (
  account: FullAccount,
  request: { number: number; isOwner: boolean },
) => Promise<Preparation>;

const visitorOf = ({ owner }: FullAccount): Promise<Somebody> => Somebody.register(owner.origin);
const FOLLOWED = { action: 'accept', share: { scope: 'specific_nodes' } };
const RECEIVER = 'http://127.0.0.1:9/';

/** Somebody with an authenticator app whose code is spent, and a recovery code that is not. */
async function enrolled(account: FullAccount): Promise<{ person: Somebody; recovery_code: string }> {
  const person = await visitorOf(account);
  const client = await person.client();
  const { secret } = ok(await client.post('/auth/totp')).body as { secret: string };
  const { body } = ok(await client.post('/auth/totp/confirm', { code: codeOf(secret) }));
  return { person, recovery_code: (body.recovery_codes as string[])[0] as string };
}

const codeOf = (secret: string): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

/** Somebody who has given their password and is asked for their second factor. */
const challenged =
  (path: string): Prepare =>
  async (account) => {
    const { person, recovery_code } = await enrolled(account);
    const client = await person.client();
    const { body } = await client.post(path, { email: person.email, password: PASSWORD });
    return {
      credentials: client.credentials,
      body: { challenge: body.error.details.challenge as string, recovery_code },
    };
  };

/** An app that may end, or be ended. */
const withApp: Prepare = async (account, { isOwner }) => {
  const { app, authorization, credentials } = await account.letIn(await transparentOf(account));
  return { things: { app, authorization }, ...(isOwner ? {} : { credentials }) };
};

/** The same with a receiver of webhooks that is not there, and something to be delivered to it. */
const subscribed: Prepare = async (account, { isOwner }) => {
  const { app: app_id, credentials } = await account.letIn(await transparentOf(account));
  const owner = await account.owner.client();
  const events = ['node.created', 'node.updated'];
  ok(await owner.post('/webhooks/subscribe', { app_id, webhook_url: RECEIVER, events }));
  const { body } = ok(await owner.post(`/webhooks/subscription/test?app_id=${app_id}`));
  const things = { app: app_id, delivery_id: body.delivery_id as string };
  return { things, ...(isOwner ? { query: `app_id=${app_id}` } : { credentials }) };
};

const transparentOf = (account: FullAccount): Promise<string> =>
  account.make('/exposure-profiles/from-template', { template: 'transparent', name: unique('spare') });

const followed: Prepare = async (account) => {
  const follower = await visitorOf(account);
  const follow_id = await follower.make('/follows', { target_user_id: account.owner.id });
  const node_ids = account.small.slice(0, 1_000);
  return { things: { follow_id }, body: { ...FOLLOWED, share: { ...FOLLOWED.share, node_ids } } };
};

/** A node with a tag that nothing else has. */
const tagged: Prepare = async (account, { number }) => {
  const name = unique('spare');
  const tag = await account.make('/tags', { name });
  const node = await account.make('/nodes', smallNode(900_000 + number, [name]));
  return { things: { tag, node } };
};

/** Preparations by operation, of entities that no other operation may use up. */
export const PREPARATIONS: Readonly<Record<string, Prepare>> = {
  ...groupPreparations(visitorOf),
  ...logInPreparations(visitorOf),
  'DELETE /auth/sessions/{auth_session_id}': async (account) => {
    const client = await (await visitorOf(account)).client();
    const { sessions } = ok(await client.get('/auth/sessions')).body as { sessions: { id: string }[] };
    return { credentials: client.credentials, things: { 'log-in': sessions[0]?.id as string } };
  },
  'POST /auth/totp/confirm': async (account) => {
    const client = await (await visitorOf(account)).client();
    const { secret } = ok(await client.post('/auth/totp')).body as { secret: string };
    return { credentials: client.credentials, body: { code: codeOf(secret) } };
  },
  'DELETE /auth/totp': async (account) => {
    const { person, recovery_code } = await enrolled(account);
    return { credentials: await person.credentials(), body: { recovery_code } };
  },
  'POST /auth/recovery-codes': async (account) => ({
    credentials: await (await enrolled(account)).person.credentials(),
  }),
  'POST /auth/login/second-factor': challenged('/auth/login'),
  'POST /auth/reauthenticate/second-factor': challenged('/auth/reauthenticate'),
  'POST /authorizations': async (account) => {
    const wish = { name: unique('spare'), client_level: 'L2', requested_permissions: everything };
    const app_id = await account.make('/apps', wish);
    return { body: { app_id, exposure_profile_id: account.things.profile } };
  },
  'PATCH /authorizations/{authorization_id}': async (account, request) => ({
    ...(await withApp(account, request)),
    body: { exposure_profile_id: account.things.profile },
  }),
  'DELETE /authorizations/{authorization_id}': withApp,
  'DELETE /authorizations/current': withApp,
  'GET /webhooks/subscription': subscribed,
  'DELETE /webhooks/subscription': subscribed,
  'POST /webhooks/subscription/enable': subscribed,
  'POST /webhooks/subscription/rotate-secret': subscribed,
  'POST /webhooks/subscription/test': subscribed,
  'POST /webhooks/deliveries/{delivery_id}/redeliver': subscribed,
  'POST /proposals/subscribe': async (account, { isOwner }) => ({
    body: {
      webhook_url: RECEIVER,
      event_types: ['approved', 'rejected'],
      ...(isOwner ? { app_id: account.things.app } : {}),
    },
  }),
  'PUT /follows/{follow_id}/respond': followed,
  'DELETE /follows/{follow_id}': followed,
  'DELETE /sharing/{share_id}': async ({ owner, friend, small }) => {
    const body = { shared_with_user_id: friend.id, scope: 'specific_nodes', node_ids: small.slice(0, 1_000) };
    return { things: { share_id: await owner.make('/sharing', body) } };
  },
  'DELETE /sharing/incoming/{user_id}': async (account) => {
    const visitor = await visitorOf(account);
    await visitor.make('/sharing', { shared_with_user_id: account.owner.id, scope: 'all' });
    return { things: { user: visitor.id } };
  },
  'PUT /blocked-users/{user_id}': async (account) => ({ things: { user: (await visitorOf(account)).id } }),
  'DELETE /blocked-users/{user_id}': async (account) => {
    const { id: user } = await visitorOf(account);
    ok(await (await account.owner.client()).put(`/blocked-users/${user}`));
    return { things: { user } };
  },
  'POST /nodes/bulk-delete': async (account, { number }) => {
    const nodes = Array.from({ length: 100 }, (_, i) =>
      smallNode(number * 100 + i, account.tagNames.slice(0, 50)),
    );
    const { body } = ok(await (await account.owner.client()).post('/nodes/batch', { nodes }));
    return { body: { node_ids: (body.created as { id: string }[]).map(({ id }) => id) } };
  },
  'DELETE /nodes/{node_id}/tags/{tag_id}': tagged,
  'GET /nodes/{node_id}/download': (account) =>
    Promise.resolve({ things: { node: account.things.file as string } }),
  'GET /raw-files/{file_id}/content': async (account) => {
    const owner = await account.owner.client();
    const { body } = ok(await owner.get(`/nodes/${account.things.file}/download`));
    return { query: new URL(body.download_url as string).search.slice(1) };
  },
  'DELETE /raw-files/{file_id}/tags/{tag_id}': async (account) => {
    const file = await account.file(1_000);
    const tag = await account.make('/tags', { name: unique('spare') });
    ok(await (await account.owner.client()).post(`/raw-files/${file}/tags`, { tag_id: tag }));
    return { things: { file, tag } };
  },
};
