import { type Api, ApiRefusal, type Json, segment } from '../domain/api.js';
import { InvalidParams } from '../domain/rpc-error.js';
import { type Links } from '../domain/tool.js';
import { accessOf } from './own-access.js';

export const PROFILE_URI = 'graph://profile';
const NODE = /^graph:\/\/node\/([0-9a-f-]{36})$/;
const TAG = /^graph:\/\/tag\/([^/?#]+)$/;
const PAGE = 50;
/** The most characters of an address: that of the longest name of a tag has fewer. */
const MOST_OF_URI = 2048;
/** The most UTF-16 units of a tag's name in any of its forms. */
const MOST_OF_NAME = 200;
/** Pages of tags among which one is sought by its name. */
const TAG_PAGES = 25;
const TAGS_OF_A_PAGE = 200;
const CURSOR = /^(?:0|[1-9]\d{0,8})$/;
const JSON_TYPE = 'application/json';

/** The address of a node as a resource. */
export const nodeUri = (id: string): string => `graph://node/${id}`;

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
  resources: { uri: string; name: string; title?: string; description?: string; mimeType: string }[];
  nextCursor?: string;
};

/**
 * The client's own access, then nodes, the last changed first. The cursor is an offset.
 * @throws InvalidParams for a cursor of no list
 */
export async function listResources(api: Api, cursor: string | undefined): Promise<ListedResources> {
  if (!CURSOR.test(cursor ?? '0')) throw new InvalidParams('cursor is not one of this list');
  const offset = Number(cursor ?? 0);
  const query = { limit: PAGE, offset, fields: 'id,title,is_shared', sort: 'updated_at', order: 'desc' };
  const page = await api.call('GET', 'nodes', { query }).catch((error: unknown) => {
    if (error instanceof ApiRefusal && error.status === 403) return null;
    throw error;
  });
  const { nodes, total } = (page?.body ?? { nodes: [], total: 0 }) as unknown as Listed;
  const own = { uri: PROFILE_URI, name: 'profile', title: 'What I may see and do', mimeType: JSON_TYPE };
  const rest = nodes.map(({ id, title, is_shared: isShared }) => ({
    uri: nodeUri(id),
    name: title ?? id,
    ...(isShared === true ? { description: 'Shared by another person' } : {}),
    mimeType: JSON_TYPE,
  }));
  const next = offset + nodes.length;
  return {
    resources: offset === 0 ? [own, ...rest] : rest,
    ...(nodes.length > 0 && next < total ? { nextCursor: String(next) } : {}),
  };
}

interface Listed {
  nodes: { id: string; title?: string | null; is_shared?: boolean }[];
  total: number;
}

export interface ReadResource {
  uri: string;
  mimeType: string;
  text: string;
}

/** The contents of a resource; null for an address of none. @throws ApiRefusal, InvalidParams */
export async function readResource(api: Api, uri: string, links: Links): Promise<ReadResource | null> {
  if (uri.length > MOST_OF_URI) throw new InvalidParams(`uri must have at most ${MOST_OF_URI} characters`);
  const [, id] = NODE.exec(uri) ?? [];
  const [, tag] = TAG.exec(uri) ?? [];
  if (uri === PROFILE_URI) return asJson(uri, await accessOf(api, links));
  if (id !== undefined) return asJson(uri, (await api.call('GET', `nodes/${segment(id)}`)).body);
  if (tag !== undefined) return taggedNodes(api, uri, tag);
  return null;
}

async function taggedNodes(api: Api, uri: string, encoded: string): Promise<ReadResource | null> {
  const name = decoded(encoded);
  const tagId = name === null || name.length > MOST_OF_NAME ? null : await tagNamed(api, name);
  if (tagId === null) return null;
  const query = { tag_id: tagId, limit: PAGE, fields: 'id,title,node_type,updated_at,is_shared' };
  return asJson(uri, (await api.call('GET', 'nodes', { query })).body);
}

/**
 * The id of the tag with this name; null if there is no such tag. The API finds names by a part: the whole one may be among many.
 * @throws InvalidParams where it is not among the first thousands
 */
async function tagNamed(api: Api, name: string): Promise<string | null> {
  const sought = name.trim().toLowerCase();
  for (let page = 0; page < TAG_PAGES; page++) {
    const query = { search: name, limit: TAGS_OF_A_PAGE, offset: page * TAGS_OF_A_PAGE };
    const { tags, total } = (await api.call('GET', 'tags', { query })).body as unknown as Tags;
    const found = tags.find((one) => one.name.toLowerCase() === sought);
    if (found !== undefined) return found.id;
    if (tags.length === 0 || query.offset + tags.length >= total) return null;
  }
  throw new InvalidParams('Too many tags have this in their names: list nodes by the id of the tag instead');
}

interface Tags {
  tags: { id: string; name: string }[];
  total: number;
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
