import { type ApiAnswer, type ApiCall, ApiRefusal, type Json, segment } from '../../domain/api.js';
import { anyOf, flag, id, input, output, text, texts, whole } from '../../domain/schema-parts.js';
import { type ClientName, type Tool, type ToolCall } from '../../domain/tool.js';
import { fittingPage } from './fitting.js';

const NO_CHANGE = 'The suggestion changes nothing: give at least one of create, update, delete and link.';
const REASON = text('Why, in one sentence; the person reads it in the history', 1000);
const NODE_FIELDS = {
  title: text('A short title', 1000),
  text: text('The content', 100_000),
  node_type: text('EXPERIENCE, BELIEF, ENTITY, GOAL, or a word of your own such as note', 255),
  tags: texts('Names of tags'),
  properties: { type: 'object', description: 'Structured facts; if you name a schema, they must fit it' },
  schema_id: id('Id of the schema for the properties'),
};

const remember: Tool = {
  name: 'remember',
  title: 'Remember something',
  description:
    'Saves a new note. If you may not add notes, it suggests the note to the person instead; `outcome` says which happened.',
  effect: 'adds',
  offeredWith: ['create', 'propose'],
  input: input({ ...NODE_FIELDS, reason: REASON }, ['title']),
  output: output({ outcome: 'string', 'node?': 'object', 'proposal?': 'object', 'review_at?': 'string' }),
  async run(call) {
    const { title, reason } = call.arguments;
    const node = { node_type: 'note', ...nodeOf(call.arguments) };
    try {
      const body = { ...node, ...agentOf(call.client), on_duplicate: 'skip' };
      const { status, body: made } = await call.api.call('POST', 'nodes', withReason({ body }, reason));
      return { outcome: status === 201 ? 'saved' : 'known already', node: made };
    } catch (error) {
      if (!(error instanceof ApiRefusal && error.isOfPermission)) throw error;
      return suggested(call, { title, reason, actions: [{ type: 'CREATE_NODE', payload: node }] }, error);
    }
  },
};

const proposeChange: Tool = {
  name: 'propose_change',
  title: 'Suggest a change',
  description:
    'Suggests changes for the person to review in the console; nothing changes until they approve. Use it if you may not write, or are not sure.',
  effect: 'adds',
  offeredWith: ['propose'],
  input: input(
    {
      title: text('The suggestion in a few words', 1000),
      reason: text('Why', 10_000),
      create: listOf(input(NODE_FIELDS, ['title'])),
      update: listOf(input({ id: id('Id of the node'), ...NODE_FIELDS }, ['id'])),
      delete: { type: 'array', items: id('Id of a node'), maxItems: 20 },
      link: listOf(
        input(
          {
            from_id: id('Id of a node'),
            to_id: id('Id of a node'),
            type: text('A word or two, such as about', 100),
          },
          ['from_id', 'to_id', 'type'],
        ),
      ),
    },
    ['title', 'reason'],
  ),
  output: output({ outcome: 'string', proposal: 'object', review_at: 'string' }),
  async run(call) {
    const { title, reason } = call.arguments;
    const actions = actionsOf(call.arguments);
    if (actions.length === 0) throw new ApiRefusal(400, 'VALIDATION_ERROR', NO_CHANGE, {});
    return suggested(call, { title, reason, actions });
  },
};

const listProposals: Tool = {
  name: 'list_proposals',
  title: 'List my suggestions',
  description: 'Lists your suggestions, newest first, with what the person decided on each.',
  effect: 'reads',
  offeredWith: ['suggested'],
  input: input({
    status: anyOf('Only in this state', [
      'PENDING',
      'READY_FOR_APPROVAL',
      'APPROVED',
      'REJECTED',
      'APPLIED',
      'FAILED',
    ]),
    limit: whole('How many at most (up to 50)', [1, 50]),
    offset: whole('Skip this many', [0, 10_000]),
  }),
  output: output({
    proposals: 'list',
    total: 'integer',
    limit: 'integer',
    offset: 'integer',
    page: 'integer',
    per_page: 'integer',
    'truncated?': 'boolean',
  }),
  async run({ api, arguments: { limit = 10, ...asked } }) {
    const { body } = await api.call('GET', 'proposals', { query: { ...asked, limit } });
    return fittingPage(body, 'proposals');
  },
};

const updateNode: Tool = {
  name: 'update_node',
  title: 'Change a node',
  description: 'Changes only the fields that you give: tags are replaced, properties are merged.',
  effect: 'changes',
  offeredWith: ['edit'],
  input: input(
    {
      id: id('Id of the node'),
      ...NODE_FIELDS,
      reason: REASON,
      version: whole(
        'The version that you read; the call is refused if the node has changed since',
        [1, 2_147_483_647],
      ),
    },
    ['id'],
  ),
  output: output({ node: 'object' }),
  async run({ api, arguments: { id: node, reason, version, ...fields }, client }) {
    const body = { ...nodeOf(fields), ...agentOf(client) };
    const path = `nodes/${segment(node)}`;
    const headers = version === undefined ? undefined : await onlyAt(version, () => api.call('GET', path));
    return { node: (await api.call('PATCH', path, withReason({ body, headers }, reason))).body };
  },
};

const deleteNode: Tool = {
  name: 'delete_node',
  title: 'Delete a node',
  description: 'Deletes a node. The person can restore it.',
  effect: 'destroys',
  offeredWith: ['delete'],
  input: input({ id: id('Id of the node'), reason: REASON }, ['id']),
  output: output({ deleted: 'string' }),
  async run({ api, arguments: { id: node, reason } }) {
    await api.call('DELETE', `nodes/${segment(node)}`, withReason({}, reason));
    return { deleted: node };
  },
};

const linkNodes: Tool = {
  name: 'link_nodes',
  title: 'Connect two nodes',
  description: 'Connects two nodes by a relationship.',
  effect: 'adds',
  offeredWith: ['edit'],
  input: input(
    {
      from_id: id('Id of the node where it begins'),
      to_id: id('Id of the node where it ends'),
      type: text('A word or two, such as about', 100),
      context: text('More about it', 10_000),
      bidirectional: flag('True if it is true in both directions'),
      reason: REASON,
    },
    ['from_id', 'to_id', 'type'],
  ),
  output: output({ relationship: 'object' }),
  async run({ api, arguments: { from_id, to_id, type, reason, ...more } }) {
    const body = { from_node_id: from_id, to_node_id: to_id, relationship_type: type, ...more };
    return { relationship: (await api.call('POST', 'relationships', withReason({ body }, reason))).body };
  },
};

function listOf(items: object): Json {
  return { type: 'array', items, maxItems: 20 };
}

/** Fields of the API's node for those of a tool; absent ones stay absent. */
function nodeOf({ title, text: value, node_type, tags, properties, schema_id }: Json): Json {
  const metadata = properties === undefined ? undefined : { properties };
  return withoutAbsent({ title, value, node_type, tags, schema_id, metadata });
}

const withoutAbsent = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The client as the author of what it writes (rule 7.1b). */
function agentOf(client: ClientName | null): Json {
  if (client === null) return {};
  const { name, version } = client;
  return {
    agent_metadata: { agent_name: name, ...(version === null ? {} : { agent_version: version }), via: 'mcp' },
  };
}

/**
 * The header of a write that holds only for the state with this version. The number alone does not say it: entity tags
 * of callers who are not shown all of a node also name the rules by which it is shown (rule 4.1b).
 * @throws ApiRefusal (412) where the node has another version now
 */
async function onlyAt(version: unknown, read: () => Promise<ApiAnswer>): Promise<ApiCall['headers']> {
  const { body, entityTag } = await read();
  const isCurrent = entityTag !== undefined && body['version'] === version;
  // A proxy that compresses answers makes their tags weak, and writes compare strong ones.
  if (isCurrent) return { 'If-Match': entityTag.replace(/^W\//, '') };
  const message = 'The node no longer has this version: fetch it again';
  throw new ApiRefusal(412, 'PRECONDITION_FAILED', message, {});
}

/** A call with the reason for its change. Headers hold UTF-8 as Latin-1. */
function withReason({ headers, ...call }: ApiCall, reason: unknown): ApiCall {
  if (typeof reason !== 'string') return { ...call, headers };
  const line = reason.replace(/[\r\n\0]+/g, ' ');
  return { ...call, headers: { ...headers, 'X-Change-Reason': Buffer.from(line).toString('latin1') } };
}

interface Suggestion {
  title: unknown;
  reason: unknown;
  actions: Json[];
}

/** Files a proposal. @throws `instead` where proposing is refused as well: it says what was wanted at first */
async function suggested(
  { api, client, links }: ToolCall,
  { title, reason, actions }: Suggestion,
  instead?: ApiRefusal,
): Promise<Json> {
  const types = new Set(actions.map(({ type }) => type));
  const body = withoutAbsent({
    title,
    description: reason,
    type: types.size === 1 ? [...types][0] : 'BATCH',
    actions,
    status: 'READY_FOR_APPROVAL',
    reasoning_metadata: client === null ? undefined : { agent_name: client.name, via: 'mcp' },
  });
  try {
    const { body: proposal } = await api.call('POST', 'proposals', { body });
    return { outcome: 'suggested', proposal, review_at: links.proposal(String(proposal['id'])) };
  } catch (error) {
    throw instead !== undefined && error instanceof ApiRefusal && error.isOfPermission ? instead : error;
  }
}

/** The actions of a proposal, in the order in which they are applied. */
function actionsOf({ create = [], update = [], delete: gone = [], link = [] }: Json): Json[] {
  return [
    ...(create as Json[]).map((node) => ({
      type: 'CREATE_NODE',
      payload: { node_type: 'note', ...nodeOf(node) },
    })),
    ...(update as Json[]).map(({ id: node_id, ...fields }) => ({
      type: 'UPDATE_NODE',
      payload: { node_id, changes: nodeOf(fields) },
    })),
    ...(link as Json[]).map(({ from_id, to_id, type }) => ({
      type: 'CREATE_RELATIONSHIP',
      payload: { from_node_id: from_id, to_node_id: to_id, relationship_type: type },
    })),
    ...(gone as string[]).map((node_id) => ({ type: 'DELETE_NODE', payload: { node_id } })),
  ];
}

export const WRITING_TOOLS: readonly Tool[] = [
  remember,
  proposeChange,
  listProposals,
  updateNode,
  deleteNode,
  linkNodes,
];
