import { type Api, ApiRefusal, type Json, segment } from '../domain/api.js';
import { type Links } from '../domain/tool.js';

const PROFILE = 'graph://profile';
const NODE = /^graph:\/\/node\/([0-9a-f-]{36})$/;
const TAG = /^graph:\/\/tag\/([^/?#]+)$/;
const PAGE = 50;
const JSON_TYPE = 'application/json';

/** The address of a node as a resource. */
export const nodeUri = (id: string): string => `graph://node/${id}`;

export const PROFILE_URI = PROFILE;

export const TEMPLATES = [
  {
    uriTemplate: 'graph://node/{id}',
    name: 'node',
    title: 'A node by its id',
    description: 'All fields of a note, fact, goal or file.',
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: 'graph://tag/{tag}',
    name: 'tag',
    title: 'Nodes with a tag',
    description: 'The nodes with the tag of this name, the last changed first.',
    mimeType: JSON_TYPE,
  },
];

// A type, for the library's has an index signature.
export type ListedResources = {
  resources: { uri: string; name: string; title?: string; mimeType: string }[];
  nextCursor?: string;
};

/** The client's own access, then nodes, the last changed first. The cursor is an offset. */
export async function listResources(api: Api, cursor: string | undefined): Promise<ListedResources> {
  const offset = cursor === undefined ? 0 : Number(cursor);
  const query = { limit: PAGE, offset, fields: 'id,title', sort: 'updated_at', order: 'desc' };
  const page = await api.call('GET', 'nodes', { query }).catch((error: unknown) => {
    if (error instanceof ApiRefusal && error.status === 403) return null;
    throw error;
  });
  const { nodes, total } = (page?.body ?? { nodes: [], total: 0 }) as unknown as Listed;
  const own = { uri: PROFILE, name: 'profile', title: 'What I may see and do', mimeType: JSON_TYPE };
  const rest = nodes.map(({ id, title }) => ({
    uri: nodeUri(id),
    name: title ?? id,
    mimeType: JSON_TYPE,
  }));
  const next = offset + nodes.length;
  return {
    resources: offset === 0 ? [own, ...rest] : rest,
    ...(nodes.length > 0 && next < total ? { nextCursor: String(next) } : {}),
  };
}

interface Listed {
  nodes: { id: string; title?: string | null }[];
  total: number;
}

export interface ReadResource {
  uri: string;
  mimeType: string;
  text: string;
}

/** The contents of a resource; null for an address of none. @throws ApiRefusal */
export async function readResource(api: Api, uri: string, links: Links): Promise<ReadResource | null> {
  const [, id] = NODE.exec(uri) ?? [];
  const [, tag] = TAG.exec(uri) ?? [];
  if (uri === PROFILE) {
    const { body } = await api.call('GET', 'authorizations/current');
    const { id: authorizationId } = body['authorization'] as { id: string };
    return asJson(uri, { ...body, change_at: links.app(authorizationId) });
  }
  if (id !== undefined) return asJson(uri, (await api.call('GET', `nodes/${segment(id)}`)).body);
  if (tag !== undefined) return taggedNodes(api, uri, tag);
  return null;
}

async function taggedNodes(api: Api, uri: string, encoded: string): Promise<ReadResource | null> {
  const name = decoded(encoded);
  if (name === null) return null;
  const query = { search: name, limit: 200 };
  const { body } = await api.call('GET', 'tags', { query });
  const tags = body['tags'] as { id: string; name: string }[];
  const tag = tags.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (tag === undefined) return null;
  const nodes = { tag_id: tag.id, limit: PAGE, fields: 'id,title,node_type,updated_at' };
  return asJson(uri, (await api.call('GET', 'nodes', { query: nodes })).body);
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const asJson = (uri: string, value: Json): ReadResource => ({
  uri,
  mimeType: JSON_TYPE,
  text: JSON.stringify(value),
});
