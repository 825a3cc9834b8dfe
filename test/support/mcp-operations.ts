import { toolNamed } from '../../src/mcp/application/tools/tools.js';
import { type ObjectSchema } from '../../src/mcp/domain/tool.js';
import { Client, type Download, type Options } from './client.js';
import { ACCEPT, sendForAnswer } from './mcp.js';
import { type Operation, type Parameter, type Schema } from './operations.js';

/** The path of an operation of MCP: no path of the service, but the name of a message. */
const PREFIX = '//mcp/';

/** Names that say which thing an argument means, as in the API, for arguments that do not. */
const NAMES: Record<string, Record<string, string>> = {
  fetch: { id: 'node_id' },
  neighborhood: { id: 'node_id' },
  node_history: { id: 'node_id' },
  list_schemas: { ids: 'schema_ids' },
  update_node: { id: 'node_id' },
  delete_node: { id: 'node_id' },
  link_nodes: { from_id: 'from_node_id', to_id: 'to_node_id' },
};

const READING = ['search', 'fetch', 'list_nodes', 'neighborhood', 'list_tags', 'list_schemas'].concat([
  'node_history',
  'my_access',
  'list_proposals',
]);

const NODE = { value: 'quiet', node_type: 'note', tags: ['shelf'], properties: { colour: 'blue' } };
/** Arguments of tools that write, by the names of the API. */
const WRITING: Record<string, Record<string, unknown>> = {
  remember: { title: 'thought', text: 'quiet', node_type: 'note', tags: ['shelf'], reason: 'because' },
  update_node: { node_id: '', title: 'thought', ...NODE, schema_id: '', reason: 'because' },
  link_nodes: { from_node_id: '', to_node_id: '', type: 'near', context: 'on the shelf' },
  delete_node: { node_id: '', reason: 'because' },
  propose_change: {
    title: 'thought',
    reason: 'because',
    create: [{ title: 'thought', node_type: 'note', tags: ['shelf'] }],
    update: [{ node_id: '', title: 'thought', tags: ['shelf'] }],
    link: [{ from_node_id: '', to_node_id: '', type: 'near' }],
    delete_node_ids: [''],
  },
};

const string = { type: 'string' };
const inQuery = (name: string, schema: object, required = false): Parameter => ({
  name,
  in: 'query',
  required,
  schema: schema,
});

/** Messages without a tool, with the ids and texts that they take. */
const MESSAGES: Record<string, Parameter[]> = {
  'tools/list': [],
  'resources/list': [inQuery('cursor', { enum: ['0', '50'] })],
  'resources/templates/list': [],
  // Addresses are repeated where nothing is found, so that no text is tried as one.
  'resources/read/node': [inQuery('node_id', {}, true)],
  'resources/read/tag': [inQuery('tag_name', {}, true)],
  'resources/read/profile': [],
  'prompts/list': [],
  'prompts/get': [],
  'completion/complete': [inQuery('value', string, true)],
};

const operation = (name: string, method: string, more: Partial<Operation>): Operation => ({
  name: `MCP ${name}`,
  method,
  path: `${PREFIX}${name}`,
  callers: 'key',
  parameters: [],
  example: undefined,
  fields: [],
  ...more,
});

function reading(name: string): Operation {
  const { properties, required = [] } = toolNamed(name)?.input as ObjectSchema;
  const parameters = Object.entries(properties).map(([argument, schema]) =>
    inQuery(NAMES[name]?.[argument] ?? argument, schema, required.includes(argument)),
  );
  return operation(`tools/${name}`, 'GET', { parameters });
}

function writing(name: string, example: Record<string, unknown>): Operation {
  const { required = [] } = toolNamed(name)?.input as ObjectSchema;
  const needed = required.map((argument) => NAMES[name]?.[argument] ?? argument);
  const fields = placesIn(example).map((at) => ({
    at,
    schema: string,
    isRequired: at.length === 1 && needed.includes(String(at[0])),
  }));
  const method = name === 'delete_node' ? 'DELETE' : 'POST';
  return operation(`tools/${name}`, method, { example, fields });
}

/** The places of all values, and of those within lists and objects. */
const placesIn = (value: unknown): (string | number)[][] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) => {
        const step = Array.isArray(value) ? Number(key) : key;
        return [[step], ...placesIn(inner).map((rest) => [step, ...rest])];
      });

/** Tools, resources, prompts and completions, for the rigs that try every operation of the API. */
export const mcpOperations = (): Operation[] => [
  ...READING.map(reading),
  ...Object.entries(WRITING).map(([name, example]) => writing(name, example)),
  ...Object.entries(MESSAGES).map(([name, parameters]) => operation(name, 'GET', { parameters })),
];

const SOMETHING = '5f0c1a52-9f4e-4a9e-8a3b-0d6a1c2b3e4f';
/** The messages that name one thing by its id, with the rest of their arguments. */
const ON_ONE: [name: string, method: string, query: string, example?: Record<string, unknown>][] = [
  ['tools/fetch', 'GET', 'node_id={node_id}'],
  ['tools/neighborhood', 'GET', 'node_id={node_id}'],
  ['tools/node_history', 'GET', 'node_id={node_id}'],
  ['tools/update_node', 'POST', 'node_id={node_id}', { title: 'thought' }],
  ['tools/delete_node', 'DELETE', 'node_id={node_id}'],
  ['tools/link_nodes', 'POST', 'from_node_id={node_id}', { to_id: SOMETHING, type: 'near' }],
  ['resources/read/node', 'GET', 'node_id={node_id}'],
];

/** Messages on one thing, which hidden and absent ones must not tell apart by the work and time that they cost. */
export const mcpOperationsOnOne = (): Operation[] =>
  ON_ONE.map(([name, method, query, example]) => ({
    ...operation(name, method, { example }),
    path: `${PREFIX}${name}?${query}`,
  }));

/** An app that speaks MCP where an operation is one of MCP, and the API elsewhere. */
export class AssistantClient extends Client {
  private constructor(private readonly app: Client) {
    super('', app.credentials);
  }

  static of(app: Client): Client {
    return new AssistantClient(app.with(ACCEPT));
  }

  override with(headers: Record<string, string>): Client {
    return AssistantClient.of(this.app.with(headers));
  }

  override send(method: string, path: string, body?: unknown, options: Options = {}): Promise<Download> {
    if (!path.startsWith(PREFIX)) return this.app.send(method, path, body, options);
    return sendForAnswer(this.app, messageOf(path, body), requestIdOf(options));
  }
}

const requestIdOf = ({ headers = {} }: Options): Record<string, string> =>
  headers['X-Request-Id'] === undefined ? {} : { 'X-Request-Id': headers['X-Request-Id'] };

/** The message that an operation of MCP means. */
export function messageOf(path: string, body: unknown) {
  const url = new URL(path.slice(PREFIX.length - 1), 'http://mcp');
  const [, kind, name = ''] = /^\/(\w+)\/(.*)$/.exec(url.pathname) ?? [];
  const given = url.searchParams;
  if (kind === 'tools' && name !== 'list') {
    const sent =
      body === undefined || given.size > 0
        ? { ...queried(name, given), ...(toArguments(body) as object) }
        : toArguments(body);
    return { method: 'tools/call', params: { name, arguments: sent } };
  }
  if (kind === 'completion')
    return { method: 'completion/complete', params: completing(given.get('value') ?? '') };
  if (name.startsWith('read/')) {
    const one = { node: given.get('node_id'), tag: given.get('tag_name') }[name.slice('read/'.length)];
    const part = one === undefined || one === null ? '' : `/${encodeURIComponent(one)}`;
    return { method: 'resources/read', params: { uri: `graph://${name.slice('read/'.length)}${part}` } };
  }
  if (name === 'get')
    return { method: 'prompts/get', params: { name: 'what_do_you_know', arguments: { topic: 'sea' } } };
  return { method: `${kind}/${name}`, params: Object.fromEntries(given) };
}

const completing = (value: string): Record<string, unknown> => ({
  ref: { type: 'ref/prompt', name: 'what_do_you_know' },
  argument: { name: 'topic', value },
});

/** Arguments in the types of the tool's schema. */
function queried(tool: string, given: URLSearchParams): Record<string, unknown> {
  const { properties } = toolNamed(tool)?.input as ObjectSchema;
  const typed = (name: string, text: string): unknown => {
    const { type } = (properties[name] ?? {}) as Schema;
    if (type === 'array') return text.split(',');
    if (type === 'boolean') return text === 'true';
    return type === 'integer' && text !== '' && !Number.isNaN(Number(text)) ? Number(text) : text;
  };
  return Object.fromEntries(
    [...given].map(([ours, text]) => {
      const name = INNER[ours] ?? ours;
      return [name, typed(name, text)];
    }),
  );
}

const INNER: Record<string, string> = {
  node_id: 'id',
  from_node_id: 'from_id',
  to_node_id: 'to_id',
  delete_node_ids: 'delete',
  schema_ids: 'ids',
  value: 'text',
};

/** The arguments of a tool for a body with the names of the API. */
export function toArguments(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => toArguments(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [INNER[name] ?? name, toArguments(inner)]),
  );
}
