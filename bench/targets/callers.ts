import { type Owner, PASSWORD, PROFILE, SCHEMAS, type Size, type Tag, visibleIds } from '../dataset/world.js';
import { type Subject } from '../operations.js';

type Json = Record<string, unknown>;

/** Calls the service as a person's own client would; any answer but a 2xx ends the benchmark. */
async function call(
  port: number,
  method: string,
  path: string,
  body: object | null,
  token?: string,
): Promise<Json> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text) as Json;
}

const schemas = { schema_ids: ['__freeform__', SCHEMAS[0]], allow_all: false };
const REQUESTED = {
  tags: { discover: true, read: true, propose: false, create: true, edit: false, write: false },
  files: { read: false },
  schemas: { read: schemas, write: { schema_ids: ['__freeform__'], allow_all: false } },
};

function narrowProfile(owner: Owner): Json {
  const tag = (position: number): Tag => owner.tags[position] as Tag;
  const some = { tag_ids: PROFILE.any.map((position) => tag(position).id), allow_all: false };
  return {
    name: 'narrow',
    tag_permissions: { discover: some, read: some, create: { ...some, allow_new: false } },
    schema_permissions: { read: REQUESTED.schemas.read, write: REQUESTED.schemas.write },
    tag_filters: { exclude_any: PROFILE.none.map((position) => tag(position).name) },
    max_detail_level: 'full',
  };
}

/** One app that every owner has authorized with a narrow profile of their own, set up through the API. */
export async function makeCallers(port: number, owners: Owner[], size: Size): Promise<Subject[]> {
  const tokens: string[] = [];
  for (const owner of owners) {
    const login = await call(port, 'POST', '/auth/login', { email: owner.email, password: PASSWORD });
    tokens.push(login['access_token'] as string);
  }
  const app = await call(
    port,
    'POST',
    '/apps',
    { name: 'bench', requested_permissions: REQUESTED },
    tokens[0],
  );
  const subjects: Subject[] = [];
  for (const [index, owner] of owners.entries()) {
    const profile = await call(port, 'POST', '/exposure-profiles', narrowProfile(owner), tokens[index]);
    const approval = { app_id: app['id'], exposure_profile_id: profile['id'] };
    await call(port, 'POST', '/authorizations', approval, tokens[index]);
    const { ids, total } = visibleIds(owner, Math.min(1000, size.nodes));
    subjects.push({
      owner,
      visible: ids,
      visibleTotal: total,
      headers: { 'X-API-Key': app['api_key'] as string, 'X-User-ID': owner.id },
    });
  }
  return subjects;
}
