import { type Json, segment } from '../../domain/api.js';
import { anyOf, flag, id, input, output, text, texts, whole } from '../../domain/schema-parts.js';
import { type Links, type Tool } from '../../domain/tool.js';
import { fitting, fittingPage } from './fitting.js';
import { accessOf } from '../own-access.js';

/** The fields of a node in lists; `fetch` gives all. */
const FIELDS = ['id', 'title', 'value', 'node_type', 'tags', 'updated_at', 'is_shared'];
/** The characters of a value in lists. */
const SHORT = 300;

const OFFSET = whole('Skip this many', [0, 10_000]);
const limit = (most: number): Json => whole(`How many at most (up to ${most})`, [1, most]);
const PAGE = { total: 'integer', limit: 'integer', offset: 'integer', 'truncated?': 'boolean' };

const search: Tool = {
  name: 'search',
  title: 'Search the graph',
  description:
    'Finds notes, facts, goals and files of the person that match a question or words, the best match first. Use fetch to read a whole one.',
  effect: 'reads',
  offeredWith: ['read'],
  input: input(
    {
      query: text('A question or words', 1000),
      limit: limit(20),
      offset: OFFSET,
      node_types: texts('Only these types'),
      tag_ids: texts('Only nodes with one of these tags'),
      created_from: text('Created at this time or later (ISO 8601)', 40),
      created_before: text('Created before this time', 40),
    },
    ['query'],
  ),
  output: output({ results: 'list', corrections: 'list', ...PAGE }),
  async run({ api, arguments: { limit: most = 8, ...asked }, links }) {
    const body = {
      ...asked,
      limit: most,
      highlights: true,
      value_limit: SHORT,
      fields: [...FIELDS, 'score', 'highlights'],
    };
    const { body: found } = await api.call('POST', 'nodes/search', { body });
    const { nodes, total, limit: used, offset, corrections } = found as unknown as Found;
    const results = nodes.map((hit) => resultOf(hit, links));
    return fittingPage({ results, total, limit: used, offset, corrections }, 'results');
  },
};

const fetchNode: Tool = {
  name: 'fetch',
  title: 'Read one node',
  description: 'Reads one node by its id: its whole text and all its fields.',
  effect: 'reads',
  offeredWith: ['read'],
  input: input({ id: id('Id of the node') }, ['id']),
  output: output({
    id: 'string',
    title: 'string null',
    text: 'string',
    url: 'string',
    metadata: 'object',
  }),
  async run({ api, arguments: { id: node }, links }) {
    const { body } = await api.call('GET', `nodes/${segment(node)}`);
    return documentOf(body, links);
  },
};

const listNodes: Tool = {
  name: 'list_nodes',
  title: 'List nodes',
  description: 'Lists nodes, sorted and filtered. To answer a question, use search instead.',
  effect: 'reads',
  offeredWith: ['read'],
  input: input({
    search: text('Words that the title or text contains exactly so', 200),
    node_type: text('Only this type', 255),
    tag_id: id('Only nodes with this tag'),
    sort: anyOf('Sort by this field', ['updated_at', 'created_at', 'title']),
    order: anyOf('desc is newest first', ['asc', 'desc']),
    limit: limit(50),
    offset: OFFSET,
  }),
  output: output({ nodes: 'list', ...PAGE }),
  async run({ api, arguments: { limit: most = 20, ...asked } }) {
    const query = {
      ...asked,
      limit: most,
      include_tags: true,
      fields: FIELDS.join(','),
      value_limit: SHORT,
    };
    return fittingPage((await api.call('GET', 'nodes', { query })).body, 'nodes');
  },
};

const neighborhood: Tool = {
  name: 'neighborhood',
  title: 'Look around a node',
  description: 'Lists the nodes connected to a node, and the relationships between them.',
  effect: 'reads',
  offeredWith: ['read'],
  input: input({ id: id('Id of the node'), depth: whole('How many steps away', [1, 3]), limit: limit(100) }, [
    'id',
  ]),
  output: output({ nodes: 'list', relationships: 'list', truncated: 'boolean' }),
  async run({ api, arguments: { id: node, depth = 1, limit: most = 30 } }) {
    const query = {
      depth,
      limit: most,
      fields: FIELDS.join(','),
      relationship_fields: 'id,from_node_id,to_node_id,relationship_type,context',
      value_limit: SHORT,
    };
    return fittingAround((await api.call('GET', `nodes/${segment(node)}/neighborhood`, { query })).body);
  },
};

const listTags: Tool = {
  name: 'list_tags',
  title: 'List tags',
  description: 'Lists the tags of the person by name, with the number of nodes that have each.',
  effect: 'reads',
  offeredWith: ['discover'],
  input: input({ search: text('A part of the name', 200), limit: limit(200), offset: OFFSET }),
  output: output({ tags: 'list', ...PAGE, page: 'integer', per_page: 'integer' }),
  async run({ api, arguments: { limit: most = 50, ...asked } }) {
    const query = { ...asked, limit: most, include_node_counts: true };
    return fittingPage((await api.call('GET', 'tags', { query })).body, 'tags');
  },
};

const listSchemas: Tool = {
  name: 'list_schemas',
  title: 'List schemas',
  description: 'Lists the schemas that properties of nodes can follow.',
  effect: 'reads',
  offeredWith: ['read', 'propose', 'create'],
  input: input({
    search: text('A part of the name', 200),
    ids: text('Only these ids, separated by commas', 2000),
    include_json_schema: flag('Include the JSON Schema of each'),
    limit: limit(50),
    offset: OFFSET,
  }),
  output: output({ schemas: 'list', ...PAGE }),
  async run({ api, arguments: { limit: most = 20, ...asked } }) {
    const query = { ...asked, limit: most };
    return fittingPage((await api.call('GET', 'schemas', { query })).body, 'schemas');
  },
};

const nodeHistory: Tool = {
  name: 'node_history',
  title: 'See the history of a node',
  description: 'Lists the versions of a node, newest first: what changed, when, by whom and why.',
  effect: 'reads',
  offeredWith: ['read'],
  input: input({ id: id('Id of the node'), limit: limit(50), offset: OFFSET }, ['id']),
  output: output({ node_id: 'string', history: 'list', ...PAGE }),
  async run({ api, arguments: { id: node, limit: most = 10, offset } }) {
    const query = { limit: most, offset, include_snapshots: false };
    return fittingPage((await api.call('GET', `nodes/${segment(node)}/history`, { query })).body, 'history');
  },
};

const myAccess: Tool = {
  name: 'my_access',
  title: 'See what I may do',
  description:
    'Shows which permissions were requested, which the person granted, which are in effect and which are missing.',
  effect: 'reads',
  offeredWith: [],
  input: input({}),
  output: output({
    authorization: 'object',
    requested_permissions: 'object',
    granted_permissions: 'object',
    effective_permissions: 'object',
    missing: 'list',
    change_at: 'string',
  }),
  run: ({ api, links }) => accessOf(api, links),
};

interface Hit extends Json {
  id: string;
  title?: string | null;
  value?: string | null;
  highlights: { field: string; parts: { text: string; marked: boolean }[] }[];
}

interface Found {
  nodes: Hit[];
  total: number;
  limit: number;
  offset: number;
  corrections: Json[];
}

/** A neighborhood as far as it fits, with relationships between its nodes alone. */
function fittingAround({ nodes, relationships, truncated }: Json): Json {
  const near = fitting(nodes as Json[]);
  const ids = new Set(near.map(({ id: node }) => node));
  const between = fitting(
    (relationships as Json[]).filter((one) => ids.has(one['from_node_id']) && ids.has(one['to_node_id'])),
  );
  const isWhole =
    near.length + between.length === (nodes as Json[]).length + (relationships as Json[]).length;
  return { nodes: near, relationships: between, truncated: truncated === true || !isWhole };
}

/** A hit in the form that assistants with deep research expect, with the words of the question in their place. */
function resultOf({ highlights, title = null, value, scores: _, ...hit }: Hit, links: Links): Json {
  const snippet = highlights.find(({ field }) => field === 'value')?.parts.map((part) => part.text);
  return { ...hit, title, text: snippet?.join('') ?? value ?? '', url: links.node(hit.id) };
}

/** A node in the form that assistants with deep research expect. */
function documentOf({ id: node, title = null, value = '', ...metadata }: Json, links: Links): Json {
  return { id: node, title, text: value ?? '', url: links.node(node as string), metadata };
}

export const READING_TOOLS: readonly Tool[] = [
  search,
  fetchNode,
  listNodes,
  neighborhood,
  listTags,
  listSchemas,
  nodeHistory,
  myAccess,
];
