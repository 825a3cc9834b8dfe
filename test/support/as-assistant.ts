import { toolNamed } from '../../src/mcp/application/tools/tools.js';
import { type Client, type Download } from './client.js';
import { sendForAnswer } from './mcp.js';

/** A call of a tool for a request to the API. */
interface ToolCall {
  name: string;
  arguments: Record<string, unknown>;
}

type Query = URLSearchParams;
type Body = Record<string, unknown>;

/** The tool that stands for an endpoint, by method and pattern of the path. */
const TOOLS: [RegExp, (id: string, query: Query, body: Body) => ToolCall][] = [
  [/^GET \/nodes\/(:[a-z.]+|[0-9a-f-]{36})$/, (id) => ({ name: 'fetch', arguments: { id } })],
  [
    /^GET \/nodes\/(:[a-z.]+|[0-9a-f-]{36})\/neighborhood$/,
    (id) => ({ name: 'neighborhood', arguments: { id } }),
  ],
  [/^GET \/nodes\/(:[a-z.]+|[0-9a-f-]{36})\/history$/, (id) => ({ name: 'node_history', arguments: { id } })],
  [/^GET \/nodes$/, (_, query) => ({ name: 'list_nodes', arguments: asArguments(query) })],
  [/^GET \/tags$/, (_, query) => ({ name: 'list_tags', arguments: asArguments(query) })],
  [/^GET \/schemas$/, (_, query) => ({ name: 'list_schemas', arguments: asArguments(query) })],
  [/^GET \/proposals$/, (_, query) => ({ name: 'list_proposals', arguments: asArguments(query) })],
  [/^GET \/authorizations\/current$/, () => ({ name: 'my_access', arguments: {} })],
  [/^POST \/nodes\/search$/, (_, __, body) => ({ name: 'search', arguments: body })],
  [/^POST \/nodes$/, (_, __, body) => ({ name: 'remember', arguments: asNode(body) })],
  [
    /^(?:PUT|PATCH) \/nodes\/(:[a-z.]+|[0-9a-f-]{36})$/,
    (id, _, body) => ({ name: 'update_node', arguments: { id, ...asNode(body) } }),
  ],
  [/^DELETE \/nodes\/(:[a-z.]+|[0-9a-f-]{36})$/, (id) => ({ name: 'delete_node', arguments: { id } })],
  [
    /^POST \/relationships$/,
    (_, __, { from_node_id, to_node_id, relationship_type, ...rest }) => ({
      name: 'link_nodes',
      arguments: { from_id: from_node_id, to_id: to_node_id, type: relationship_type, ...rest },
    }),
  ],
];

const NUMBERS: ReadonlySet<string> = new Set(['limit', 'offset', 'page', 'per_page']);
const asArguments = (query: Query): Body =>
  Object.fromEntries([...query].map(([name, value]) => [name, NUMBERS.has(name) ? Number(value) : value]));
const asNode = ({ value, metadata, ...fields }: Body): Body => ({
  ...fields,
  ...(value === undefined ? {} : { text: value }),
  ...(metadata === undefined ? {} : { properties: (metadata as Body)['properties'] }),
});

function toolFor(method: string, path: string, body: unknown): ToolCall | null {
  const [place = '', query = ''] = path.split('?');
  for (const [pattern, call] of TOOLS) {
    const match = pattern.exec(`${method} ${place}`);
    if (match) return call(match[1] ?? '', new URLSearchParams(query), (body ?? {}) as Body);
  }
  return null;
}

/** True for a request to the API that a tool stands for, with all that it sends. */
export function hasTool(method: string, path: string, body: unknown): boolean {
  const call = toolFor(method, path, body);
  const taken = call === null ? undefined : toolNamed(call.name)?.input.properties;
  const isWhole = call !== null && (!('id' in call.arguments) || !path.includes('?'));
  // A field of another type is refused by the tool's schema, before the API can refuse the caller.
  const isText = typeof (call?.arguments['title'] ?? '') === 'string';
  return (
    isWhole && isText && Object.keys(call.arguments).every((name) => taken !== undefined && name in taken)
  );
}

/**
 * Sends a request to the API by the tool that stands for it. The answer has the status of the API; its text and headers are
 * those of MCP, so that they can be compared byte for byte.
 */
export async function byTool(
  client: Client,
  ...[method, path, body]: Parameters<Client['send']>
): Promise<Download> {
  const call = toolFor(method, path, body);
  if (call === null) throw new Error(`no tool for ${method} ${path}`);
  const answer = await sendForAnswer(client, { method: 'tools/call', params: { ...call } });
  if (answer.status !== 200) return answer;
  const { outcome } = answer.body as { outcome?: unknown };
  if (outcome === 'suggested')
    return { ...answer, status: 403, body: { error: { code: 'PERMISSION_DENIED' } } };
  return { ...answer, status: successOf(call.name, outcome) };
}

/** The status of the API for what a tool did; a note that is suggested stands for a refusal. */
function successOf(tool: string, outcome: unknown): number {
  if (tool === 'delete_node') return 204;
  return tool === 'link_nodes' || outcome === 'saved' ? 201 : 200;
}
