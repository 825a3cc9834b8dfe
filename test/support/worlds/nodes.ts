import { type Answer, type Client } from '../client.js';
import { allSchemas, allTags, everything, someTags } from '../defaults.js';
import { type TestUser, type World } from '../world.js';

/** The id of a caller's tag by name; creates the tag when it is missing. */
export async function tagId(client: Client, name: string): Promise<string> {
  const made = await client.post('/tags', { name });
  if (made.status === 201) return made.body.id as string;
  const listed = await client.get(`/tags?search=${encodeURIComponent(name)}&per_page=200`);
  return (listed.body.tags as { id: string; name: string }[]).find((tag) => tag.name === name)?.id as string;
}

/** Creates a node; throws when it is refused. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export async function node(client: Client, body: Record<string, unknown> = {}): Promise<any> {
  const made = await client.post('/nodes', { title: 'a node', node_type: 'note', ...body });
  if (made.status !== 201) throw new Error(`node: ${made.status} ${made.text}`);
  return made.body;
}

type Grant = string[] | 'all';
const grant = (given: Grant) => (given === 'all' ? allTags : someTags(...given));

/** A profile body: tag grants by verb, every schema, and further fields. */
export function profile(
  tags: Record<string, Grant>,
  rest: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    tag_permissions: Object.fromEntries(Object.entries(tags).map(([verb, given]) => [verb, grant(given)])),
    schema_permissions: allSchemas,
    ...rest,
  };
}

export const codeOf = ({ status, body }: Answer): [number, string | undefined] => [status, body?.error?.code];

export const titlesOf = ({ body }: Answer): string[] =>
  (body.nodes as { title: string }[]).map(({ title }) => title);

type TagPermissions = Record<string, { allow_all?: boolean; allow_new?: boolean; tag_ids?: string[] }>;

/** Authorizes a new app that requests exactly the tag permissions for which the profile grants anything. */
export async function letsIn(world: World, user: TestUser, body: Record<string, unknown>): Promise<Client> {
  const granted = Object.entries((body['tag_permissions'] ?? {}) as TagPermissions);
  const verbs = granted.filter(
    ([, { allow_all, allow_new, tag_ids }]) => allow_all || allow_new || tag_ids?.length,
  );
  const tags = Object.fromEntries(verbs.map(([verb]) => [verb, true]));
  return user.lets(await world.app({ requested: { ...everything, tags, files: { read: false } } }), body);
}
