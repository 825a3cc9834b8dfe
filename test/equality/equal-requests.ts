import { type Answer } from '../support/client.js';

export type Json = Record<string, unknown>;

/** A success with its content, or a refusal with its status and code. */
export type Outcome = { content: unknown } | { refused: string };

/** Sends a request to the API as the caller. */
export type Ask = (method: string, path: string, body?: Json, headers?: Json) => Promise<Answer>;

export interface About {
  /** The address of the service. */
  origin: string;
  /** The client as the protocol names it; null where its revision does not. */
  client: { name: string; version: string } | null;
}

/** The requests to the API that a person would send in place of a call, and the answer in the form of the call. */
type Equal = (ask: Ask, given: Json, about: About) => Promise<Outcome>;

const FIELDS = ['id', 'title', 'value', 'node_type', 'tags', 'updated_at', 'is_shared'];
const SHORT = 300;

const refusal = ({ status, body }: Answer): Outcome => ({ refused: `${status} ${body?.error?.code}` });
const answered = (answer: Answer, form: (body: Json) => unknown = (body) => body): Outcome =>
  answer.status < 300 ? { content: form(answer.body as Json) } : refusal(answer);

function query(path: string, given: Json): string {
  const pairs = Object.entries(given).filter(([, value]) => value !== undefined);
  return `${path}?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')}`;
}

const defined = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The body of a node in the API for the arguments of a tool. */
const node = ({ title, text, node_type, tags, properties, schema_id }: Json): Json => ({
  ...defined({ title, value: text, node_type, tags, schema_id }),
  ...(properties === undefined ? {} : { metadata: { properties } }),
});

const reasoned = (reason: unknown): Json =>
  typeof reason === 'string' ? { 'X-Change-Reason': Buffer.from(reason).toString('latin1') } : {};

const written = ({ client }: About): Json =>
  client === null
    ? {}
    : { agent_metadata: { agent_name: client.name, agent_version: client.version, via: 'mcp' } };

interface Hit extends Json {
  id: string;
  highlights: { field: string; parts: { text: string }[] }[];
}

function found(body: Json, origin: string): Json {
  const { nodes, total, limit, offset, corrections } = body as { nodes: Hit[] } & Json;
  const results = nodes.map(({ highlights, value, scores: _, ...hit }) => {
    const marked = highlights.find(({ field }) => field === 'value');
    const text = marked?.parts.map((part) => part.text).join('') ?? value ?? '';
    return { ...hit, title: hit['title'] ?? null, text, url: `${origin}/console/notes/${hit.id}` };
  });
  return { results, total, limit, offset, corrections };
}

/** One by one, as in a proposal that a person writes. */
function actionsOf({ create = [], update = [], delete: gone = [], link = [] }: Json): Json[] {
  const action = (type: string, payload: Json): Json => ({ type, payload });
  return [
    ...(create as Json[]).map((one) => action('CREATE_NODE', { node_type: 'note', ...node(one) })),
    ...(update as Json[]).map((one) => action('UPDATE_NODE', { node_id: one['id'], changes: node(one) })),
    ...(link as Json[]).map(({ from_id, to_id, type }) =>
      action('CREATE_RELATIONSHIP', {
        from_node_id: from_id,
        to_node_id: to_id,
        relationship_type: type,
      }),
    ),
    ...(gone as string[]).map((node_id) => action('DELETE_NODE', { node_id })),
  ];
}

async function suggest(ask: Ask, { title, reason }: Json, actions: Json[], about: About): Promise<Outcome> {
  const types = [...new Set(actions.map(({ type }) => type))];
  const body = {
    title,
    ...(reason === undefined ? {} : { description: reason }),
    type: types.length === 1 ? types[0] : 'BATCH',
    actions,
    status: 'READY_FOR_APPROVAL',
    ...(about.client && { reasoning_metadata: { agent_name: about.client.name, via: 'mcp' } }),
  };
  return answered(await ask('POST', '/proposals', body), (proposal) => ({
    outcome: 'suggested',
    proposal,
    review_at: `${about.origin}/console/proposals/${(proposal as { id: string }).id}`,
  }));
}

const access = (body: Json, { origin }: About): Json => ({
  ...body,
  change_at: `${origin}/console/apps/${(body['authorization'] as { id: string }).id}`,
});

/** The equal requests of each tool, written from the documentation and not from its code. */
export const READS: Record<string, Equal> = {
  search: async (ask, { limit = 8, ...given }, { origin }) => {
    const fields = [...FIELDS, 'score', 'highlights'];
    const body = { ...given, limit, highlights: true, value_limit: SHORT, fields };
    return answered(await ask('POST', '/nodes/search', body), (answer) => found(answer, origin));
  },
  fetch: async (ask, { id }, { origin }) =>
    answered(await ask('GET', `/nodes/${String(id)}`), ({ id: node, title, value, ...metadata }) => ({
      id: node,
      title: title ?? null,
      text: value ?? '',
      url: `${origin}/console/notes/${String(node)}`,
      metadata,
    })),
  list_nodes: async (ask, { limit = 20, ...given }) => {
    const cut = { limit, include_tags: true, fields: FIELDS.join(','), value_limit: SHORT };
    return answered(await ask('GET', query('/nodes', { ...given, ...cut })));
  },
  neighborhood: async (ask, { id, depth = 1, limit = 30 }) => {
    const relationship_fields = 'id,from_node_id,to_node_id,relationship_type,context';
    const cut = { depth, limit, fields: FIELDS.join(','), relationship_fields, value_limit: SHORT };
    return answered(await ask('GET', query(`/nodes/${String(id)}/neighborhood`, cut)));
  },
  node_history: async (ask, { id, limit = 10, offset }) =>
    answered(
      await ask('GET', query(`/nodes/${String(id)}/history`, { limit, offset, include_snapshots: false })),
    ),
  list_tags: async (ask, { limit = 50, ...given }) =>
    answered(await ask('GET', query('/tags', { ...given, limit, include_node_counts: true }))),
  list_schemas: async (ask, { limit = 20, ...given }) =>
    answered(await ask('GET', query('/schemas', { ...given, limit }))),
  list_proposals: async (ask, { limit = 10, ...given }) =>
    answered(await ask('GET', query('/proposals', { ...given, limit }))),
  my_access: async (ask, _, about) =>
    answered(await ask('GET', '/authorizations/current'), (body) => access(body, about)),
};

export const WRITES: Record<string, Equal> = {
  remember: async (ask, given, about) => {
    const { reason, title } = given;
    const made = { node_type: 'note', ...node(given) };
    const body = { ...made, ...written(about), on_duplicate: 'skip' };
    const answer = await ask('POST', '/nodes', body, reasoned(reason));
    if (answer.status !== 403 || answer.body.error.code !== 'PERMISSION_DENIED')
      return answered(answer, (saved) => ({
        outcome: answer.status === 201 ? 'saved' : 'known already',
        node: saved,
      }));
    const actions = [{ type: 'CREATE_NODE', payload: made }];
    const suggested = await suggest(ask, { title, reason }, actions, about);
    return 'refused' in suggested && suggested.refused.startsWith('403') ? refusal(answer) : suggested;
  },
  propose_change: (ask, given, about) => suggest(ask, given, actionsOf(given), about),
  update_node: async (ask, { id, reason, version, ...fields }, about) => {
    const path = `/nodes/${String(id)}`;
    const current = version === undefined ? null : await ask('GET', path);
    if (current !== null && current.status >= 300) return refusal(current);
    if (current !== null && current.body.version !== version) return { refused: '412 PRECONDITION_FAILED' };
    const match = current === null ? {} : { 'If-Match': String(current.headers.etag) };
    const body = { ...node(fields), ...written(about) };
    const headers = { ...reasoned(reason), ...match };
    return answered(await ask('PATCH', path, body, headers), (changed) => ({
      node: changed,
    }));
  },
  delete_node: async (ask, { id, reason }) =>
    answered(await ask('DELETE', `/nodes/${String(id)}`, undefined, reasoned(reason)), () => ({
      deleted: id,
    })),
  link_nodes: async (ask, { from_id, to_id, type, reason, ...more }) => {
    const body = { from_node_id: from_id, to_node_id: to_id, relationship_type: type, ...more };
    return answered(await ask('POST', '/relationships', body, reasoned(reason)), (relationship) => ({
      relationship,
    }));
  },
};

/** Resources and completions, whose refusals have a code and no status. */
export const RESOURCES: Record<string, Equal> = {
  node: async (ask, { id }) => answered(await ask('GET', `/nodes/${String(id)}`)),
  profile: READS['my_access'] as Equal,
  tag: async (ask, { name }) => {
    const tags = await ask('GET', query('/tags', { search: name, limit: 200 }));
    if (tags.status >= 300) return refusal(tags);
    const same = (one: { name: string }) => one.name.toLowerCase() === String(name).toLowerCase();
    const tag = (tags.body.tags as { id: string; name: string }[]).find(same);
    if (tag === undefined) return { refused: '404 ' };
    const fields = 'id,title,node_type,updated_at,is_shared';
    return answered(await ask('GET', query('/nodes', { tag_id: tag.id, limit: 50, fields })));
  },
  completion: async (ask, { value }) => {
    const search = value === '' ? undefined : value;
    const answer = await ask('GET', query('/tags', { limit: 100, search }));
    if (answer.status === 403) return { content: { values: [], total: 0, hasMore: false } };
    return answered(answer, ({ tags, total }) => {
      const values = (tags as { name: string }[]).map(({ name }) => name);
      return { values, total, hasMore: Number(total) > values.length };
    });
  },
};
