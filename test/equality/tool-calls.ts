import { type Client } from '../support/client.js';
import { CLIENT, modernMessage, sendMessage } from '../support/mcp.js';
import { type About, type Json, type Outcome } from './equal-requests.js';

/** Called by its name; a resource or a completion has the name of its kind. */
export interface Call {
  name: string;
  kind: 'reads' | 'writes' | 'resource';
  given: Json;
  /** True for a client of the revision 2026-07-28, which names itself. */
  isModern: boolean;
}

export const clientOf = ({ isModern }: Call): About['client'] => (isModern ? CLIENT : null);

const REFUSAL = 'personal-identity-graph/refusal';

/** Calls by MCP, in the revision of the call. @throws for an answer that no specification allows */
export async function callByMcp(client: Client, call: Call, requestId: string): Promise<Outcome> {
  const [method, params] = messageOf(call);
  const { message, headers } = call.isModern
    ? modernMessage(method, params)
    : { message: { jsonrpc: '2.0', id: 1, method, params }, headers: {} };
  const answer = await sendMessage(client, message, { ...headers, 'X-Request-Id': requestId });
  const { error, result } = answer.message;
  if (error !== undefined) return refused(call, answer);
  if (call.name === 'completion') return { content: result.completion };
  if (call.kind === 'resource') return { content: JSON.parse(result.contents[0].text) };
  if (result.isError === true) {
    const { status, code } = (result._meta?.[REFUSAL] ?? {}) as { status?: number; code?: string };
    return { refused: status === undefined ? result.content[0].text : `${status} ${code}` };
  }
  const { text } = result.content[0] as { text: string };
  if (text !== JSON.stringify(result.structuredContent))
    throw new Error(`${call.name}: another text: ${text}`);
  return { content: result.structuredContent };
}

function refused(call: Call, { status, message }: Awaited<ReturnType<typeof sendMessage>>): Outcome {
  const { code, data } = message.error;
  const isAbsent =
    call.kind === 'resource' && data?.code === undefined && /not found/i.test(message.error.message);
  return { refused: isAbsent ? '404' : `${status} ${data?.code ?? code}` };
}

function messageOf({ name, kind, given }: Call): [method: string, params: Json] {
  if (name === 'completion')
    return [
      'completion/complete',
      {
        ref: { type: 'ref/prompt', name: 'what_do_you_know' },
        argument: { name: 'topic', value: given['value'] },
      },
    ];
  if (kind !== 'resource') return ['tools/call', { name, arguments: given }];
  const part = encodeURIComponent(String(given['id'] ?? given['name']));
  return ['resources/read', { uri: name === 'profile' ? 'graph://profile' : `graph://${name}/${part}` }];
}

/** The names of the tools that a caller is shown. */
export async function listedTools(client: Client): Promise<string[]> {
  const { message } = await sendMessage(client, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  return (message.result?.tools ?? []).map(({ name }: { name: string }) => name);
}
