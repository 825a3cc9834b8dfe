import { randomBytes } from 'node:crypto';
import { word } from '../support/stack.js';
import { type Deed, nodesOf, type Weighed, withOne } from './deed.js';
import { multipart } from './load.js';
import { PASSWORD, Resident } from './resident.js';

const uploads: Deed = async (who) => {
  const size = who.town.chance.once(6) ? 2_000_000 : 1 + who.town.chance.below(60_000);
  const path = who.town.chance.once(4) ? '/nodes/upload' : '/raw-files';
  const made = await who.does(`POST ${path}`, ...multipart(randomBytes(size)));
  if (path === '/raw-files') who.keep(who.files, made);
  const id = who.files.length > 3 ? who.take(who.files) : null;
  if (id !== null) await who.does(`DELETE /raw-files/${id}`);
};

/** A proposal, applied or ended otherwise. */
const proposes: Deed = async (who) => {
  const { title, node_type } = who.note;
  const wish = { title: 'a proposal', canonical_data: { title, node_type }, tags: ['shelf'] };
  const { status, body } = await who.town.load.send(who.byApp, 'POST /proposals', wish);
  if (status !== 201) return;
  const path = `/proposals/${body.id}`;
  await who.town.load.send(who.byApp, `PATCH ${path}`, { status: 'READY_FOR_APPROVAL' });
  await who.does(`GET ${path}/diff`);
  if (who.town.chance.once(4)) return void (await who.does(`POST ${path}/reject`, { reason: 'no' }));
  await who.does(`POST ${path}/approve`, {});
  await who.does(`POST ${path}/apply`);
  if (who.town.chance.once(4)) await who.does(`POST ${path}/revert`, undefined, { or: [409] });
};

/** A new schema each time: compiled ones must be dropped again. */
const validates: Deed = async (who) => {
  const json_schema = {
    type: 'object',
    properties: { servings: { type: 'integer', minimum: who.town.chance.below(1_000) }, [word()]: {} },
  };
  const { status, body } = await who.does('POST /schemas', { name: word(), json_schema });
  if (status !== 201) return;
  if (who.schema !== null) await who.does(`DELETE /schemas/${who.schema}`, undefined, { or: [409] });
  who.schema = body.id as string;
  for (const servings of [4_000, 'many'])
    await who.does(`POST /schemas/${who.schema}/validate`, { metadata: { properties: { servings } } });
  const node = { ...who.note, schema_id: who.schema, metadata: { properties: { servings: 4_000 } } };
  who.keep(who.nodes, await who.does('POST /nodes', node));
};

const editsProfile: Deed = async (who) => {
  const { chance } = who.town;
  const edit = {
    tag_filters: chance.once(2) ? { exclude_any: [chance.pick(['plans', 'garden'])] } : {},
    transformations: chance.once(2) ? [{ type: 'pii_redaction', config: { entities: ['email'] } }] : [],
  };
  // Nodes that are hidden from the app are absent for it.
  await who.does(`PUT /exposure-profiles/${who.profile}`, edit);
  const id = who.one(who.nodes);
  if (id !== null)
    await who.does(`GET /exposure-profiles/${who.profile}/explain?node_id=${id}&app_id=${who.app}`);
  await who.does(`POST /exposure-profiles/${who.profile}/preview`, { app_id: who.app });
  await who.does(`PUT /exposure-profiles/${who.profile}`, { tag_filters: {}, transformations: [] });
};

const turnsKeys: Deed = async (who) => {
  await who.proves();
  const { status, body } = await who.does(`POST /apps/${who.app}/keys`, { name: word() });
  if (status !== 201) return;
  await who.town.load.send({ ...who.byApp, 'X-API-Key': body.api_key as string }, 'GET /nodes?limit=5');
  await who.does(`DELETE /apps/${who.app}/keys/${body.id}`);
  await who.town.load.send({ ...who.byApp, 'X-API-Key': body.api_key as string }, 'GET /nodes', undefined, {
    or: [401],
  });
};

const revokes: Deed = async (who) => {
  await who.does(`DELETE /authorizations/${who.authorization}`);
  await who.town.load.send(who.byApp, 'GET /nodes', undefined, { or: [401, 403] });
  await who.lets();
  who.cursor = null;
};

/** Shares between two people, either of whom may leave at any time. */
const shares: Deed = async (who) => {
  const other = who.neighbour;
  if (other === null) return;
  const or = [401, 404, 409];
  const wish = { shared_with_user_id: other.id, scope: 'all' };
  await who.proves();
  const share = await who.does('POST /sharing', wish, { or });
  await other.does('GET /nodes?access=shared&limit=20', undefined, { or });
  if (share.status === 201) await who.does(`DELETE /sharing/${share.body.id}`, undefined, { or });
  const follow = await who.does('POST /follows', { target_user_id: other.id }, { or });
  if (follow.status === 201) await who.does(`DELETE /follows/${follow.body.id}`, undefined, { or });
};

const meets: Deed = async (who) => {
  const other = who.neighbour;
  const { status, body } = await who.does('POST /groups', { name: word(), deletion_policy: 'disband' });
  if (status !== 201 || other === null) return;
  const or = [401, 404, 409];
  await who.does(`POST /groups/${body.id}/nodes`, who.note);
  const invited = await who.does(`POST /groups/${body.id}/invitations`, { user_id: other.id }, { or });
  if (invited.status === 201)
    await other.does(`PUT /groups/invitations/${invited.body.id}`, { action: 'accept' }, { or });
  await other.does(`GET /groups/${body.id}/nodes`, undefined, { or });
  await who.does(`DELETE /groups/${body.id}`);
};

const logsIn: Deed = async (who) => {
  const account = { email: `${who.name}@example.org`, password: PASSWORD };
  const { status, body } = await who.does('POST /auth/login', account, { headers: { Authorization: '' } });
  if (status !== 200) return;
  const renewed = await who.does('POST /auth/refresh', { refresh_token: body.refresh_token });
  if (renewed.status !== 200) return;
  const before = who.refreshToken;
  who.takesTokens(renewed.body);
  await who.does('POST /auth/logout', { refresh_token: before });
  const { body: session } = await who.does('POST /sessions', { agent_name: 'note-reader' });
  await who.does(`PATCH /sessions/${session?.id}`, { status: 'completed' });
};

/** Moves everything into the account of a new person. */
const moves: Deed = async (who) => {
  await who.proves();
  const { status, bytes } = await who.does('GET /export');
  if (status !== 200 || who.town.chance.once(2)) return;
  const later = await Resident.arrive(who.town);
  await later.does('POST /import', bytes, { headers: { 'Content-Type': 'application/zip' } });
  await later.does('DELETE /auth/me', { password: PASSWORD });
};

export const rareDeeds: readonly Weighed[] = [
  [1.5, uploads],
  [
    1,
    withOne(
      (who) => who.files,
      (who, id) => who.does(`GET /raw-files/${id}/download`),
    ),
  ],
  [
    1,
    withOne(
      (who) => who.files,
      (who, id) =>
        who.does(`GET /raw-files/${id}/download`, undefined, { headers: { Range: 'bytes=0-99' }, or: [416] }),
    ),
  ],
  [0.7, proposes],
  [0.7, validates],
  [0.5, editsProfile],
  [0.3, turnsKeys],
  [0.2, revokes],
  [0.4, shares],
  [0.2, meets],
  [0.2, logsIn],
  [0.15, moves],
  [0.3, (who) => who.does('GET /sync/stream?limit=10', undefined, { isCutOff: true })],
  [0.3, (who) => who.does('GET //metrics')],
  // Refuses if its checks take longer than a moment, as on a busy machine.
  [0.3, (who) => who.does('GET //health/ready', undefined, { or: [503] })],
  [0.3, withOne(nodesOf, (who, id) => who.does(`GET /access-log?node_id=${id}`))],
  [0.2, (who) => who.town.load.send(who.byApp, 'POST /webhooks/subscription/test')],
];
