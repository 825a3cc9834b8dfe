import { readFileSync } from 'node:fs';
import { type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

interface Message {
  id?: string | number;
  method: string;
  params?: Record<string, unknown> & { name?: string };
}

interface Exchange {
  era: string;
  client: string;
  headers: Record<string, string>;
  meta: Record<string, unknown>;
  messages: Message[];
}

const { exchanges } = JSON.parse(readFileSync('test/fixtures/claude-code.json', 'utf8')) as {
  exchanges: Exchange[];
};

/** The message with the envelope that its era has in every request, and the headers that repeat it. */
function complete(
  { headers, meta }: Exchange,
  message: Message,
): { headers: Record<string, string>; message: Message } {
  if (Object.keys(meta).length === 0) return { headers, message };
  const { method, params = {} } = message;
  const _meta = { ...meta, ...(params['_meta'] as object | undefined) };
  const name: Record<string, string> = params.name === undefined ? {} : { 'Mcp-Name': params.name };
  return {
    headers: { ...headers, 'Mcp-Method': method, ...name },
    message: { ...message, params: { ...params, _meta } },
  };
}

describe('recorded messages of Claude Code (rule 15.1)', () => {
  let world: World;
  let credential: Record<string, string>;
  withWorld((started) => (world = started));
  beforeAll(async () => {
    const [person, made] = [await world.user(), await world.app()];
    await person.authorizes(made);
    credential = { 'X-API-Key': made.apiKey, 'X-User-ID': person.id };
    await person.post('/nodes', { title: 'Swim across the bay', node_type: 'GOAL' });
  });

  /** Sends a message as fetch does. @returns the status, the session and the first message of the answer */
  const send = async (body: unknown, headers: Record<string, string>) => {
    const gone = new AbortController();
    const answer = await fetch(`${world.origin}/mcp`, {
      method: 'POST',
      headers: {
        ...credential,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'User-Agent': 'claude-code/2.1.287 (cli)',
        ...headers,
      },
      body: JSON.stringify(body),
      signal: gone.signal,
    });
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
    let text = '';
    for await (const part of answer.body ?? []) {
      text += Buffer.from(part).toString();
      if (isStream && text.includes('\n\n')) break;
    }
    gone.abort();
    const data = isStream ? (/^data: (.*)$/m.exec(text)?.[1] ?? '') : text;

    const message = data === '' ? null : JSON.parse(data);
    return { status: answer.status, session: answer.headers.get('mcp-session-id'), message };
  };

  it.each(exchanges.map((one) => [one.client, one.era, one] as const))(
    'each message of %s in the era of %s gets its answer',
    async (_, __, exchange) => {
      const answers = new Map<string, Awaited<ReturnType<typeof send>>>();
      for (const one of exchange.messages) {
        const { headers, message } = complete(exchange, one);
        const answer = await send(message, headers);
        answers.set(one.method, answer);
        expect([one.method, answer.status, answer.session]).toEqual([
          one.method,
          one.id === undefined ? 202 : 200,
          null,
        ]);
        if (one.method === 'subscriptions/listen') continue;
        expect(answer.message?.id).toBe(one.id);
        expect(answer.message?.error).toBeUndefined();
      }
      const resultOf = (method: string) => answers.get(method)?.message.result;
      if (exchange.era === '2026-07-28') {
        expect(resultOf('server/discover').supportedVersions).toContain(exchange.era);
        expect(answers.get('subscriptions/listen')?.message).toMatchObject({
          method: 'notifications/subscriptions/acknowledged',
          params: { notifications: { toolsListChanged: true } },
        });
      } else expect(resultOf('initialize').protocolVersion).toBe(exchange.era);
      expect(resultOf('tools/list').tools).toHaveLength(14);
      expect(resultOf('prompts/list').prompts.length).toBeGreaterThan(0);
      expect(resultOf('resources/list').resources.length).toBeGreaterThan(1);
      const { structuredContent, content } = resultOf('tools/call');
      expect(structuredContent.results[0].title).toBe('Swim across the bay');
      expect(JSON.parse(content[0].text)).toEqual(structuredContent);
    },
  );

  it('the stream that older clients open after their greeting is refused as absent', async () => {
    const headers = { ...credential, Accept: 'text/event-stream', 'MCP-Protocol-Version': '2025-11-25' };
    expect((await fetch(`${world.origin}/mcp`, { headers })).status).toBe(405);
  });
});
