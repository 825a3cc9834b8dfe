import { type Client, type Download } from './client.js';
import { Client as Modern, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client';
import { Client as Legacy } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** The calls that both generations of the SDK's client have. */
export interface Assistant {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments?: Record<string, unknown> }): Promise<ToolResult>;
  readResource(of: { uri: string }): Promise<{ contents: { uri: string; text?: string }[] }>;
  listResources(of?: {
    cursor?: string;
  }): Promise<{ resources: { uri: string; name: string }[]; nextCursor?: string }>;
  close(): Promise<void>;
}

export interface ToolResult {
  content: { type: string; text?: string }[];
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  structuredContent?: any;
  isError?: boolean;
}

interface Way {
  /** The address of the service. */
  origin: string;
  fetch: typeof fetch;
  headers: Record<string, string>;
}

export const CLIENT = { name: 'an assistant', version: '1.2.3' };

/** A client of the revision 2026-07-28. */
export async function modernAssistant({ origin, fetch, headers }: Way): Promise<Modern> {
  const client = new Modern(CLIENT, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new ModernHttp(new URL(`${origin}/mcp`), { fetch, requestInit: { headers } }));
  return client;
}

/** A client of the revisions that begin with `initialize`. */
export async function legacyAssistant({ origin, fetch, headers }: Way): Promise<Legacy> {
  const client = new Legacy(CLIENT);
  await client.connect(new LegacyHttp(new URL(`${origin}/mcp`), { fetch, requestInit: { headers } }));
  return client;
}

/** The headers that clients of MCP send with each message. */
export const ACCEPT = { Accept: 'application/json, text/event-stream' };

/** A message of the revision 2026-07-28, whose client names itself in each, and the headers that repeat its parts. */
export function modernMessage(method: string, params: Record<string, unknown>) {
  const version = '2026-07-28';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const named = params['name'] ?? params['uri'];
  const headers: Record<string, string> = { 'MCP-Protocol-Version': version, 'Mcp-Method': method };
  if (typeof named === 'string') headers['Mcp-Name'] = named;
  return { message: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }, headers };
}

/** Sends one message of a revision with `initialize`. @returns the answer's status, headers and message */
export async function sendMessage(client: Client, message: unknown, headers: Record<string, string> = {}) {
  const answer = await client.post('//mcp', message, { headers: { ...ACCEPT, ...headers } });
  return { status: answer.status, headers: answer.headers, message: messageIn(answer.text) };
}

/** The place of a refusal's code and status in the result of a tool. */
const REFUSAL = 'personal-identity-graph/refusal';

/**
 * Sends a message, and gives its answer the form of the API's: the status and code of a refusal, or the structured content
 * with the status 200. Text and headers are those of MCP.
 */
export async function sendForAnswer(
  client: Client,
  { method, params }: { method: string; params: Record<string, unknown> },
  headers: Record<string, string> = {},
): Promise<Download> {
  const answer = await sendMessage(client, { jsonrpc: '2.0', id: 1, method, params }, headers);
  const text = JSON.stringify(answer.message);
  const whole = { headers: answer.headers, text, bytes: Buffer.from(text) };
  const { error, result } = answer.message;
  if (error !== undefined) {
    const { code } = error.data ?? {};
    return { ...whole, status: answer.status, body: { error: { code } } };
  }
  if (result?.isError !== true) return { ...whole, status: 200, body: result?.structuredContent ?? result };
  const { status, code } = (result._meta?.[REFUSAL] ?? {}) as { code?: string; status?: number };
  return { ...whole, status: status ?? 400, body: { error: { code: code ?? 'VALIDATION_ERROR' } } };
}

/** Calls a tool by one plain message, without a client of the SDK. */
export async function callTool(client: Client, name: string, given: object = {}): Promise<ToolResult> {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
  const { status, message } = await sendMessage(client, call);
  if (status !== 200 || message.result === undefined)
    throw new Error(`${name}: ${status} ${JSON.stringify(message)}`);
  return message.result as ToolResult;
}

/** The message of an answer, which is JSON or a stream with one event. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
function messageIn(text: string): any {
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return data === '' ? {} : JSON.parse(data);
}
