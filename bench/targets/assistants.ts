import { type IncomingMessage, request } from 'node:http';
import { call } from '../dataset/finding.js';
import { requestBytes } from '../load/connection.js';

export type Headers = Record<string, string>;

const VERSION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'benchmark', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The revisions of the protocol that calls are measured in. */
export const ERAS = [VERSION, '2025-11-25'] as const;
export type Era = (typeof ERAS)[number];

interface Message {
  headers: Headers;
  body: object;
}

/** A message as the SDK's clients send it. */
function message(era: Era, method: string, params: Record<string, unknown>): Message {
  const headers: Headers = { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': era };
  if (era !== VERSION) return { headers, body: { jsonrpc: '2.0', id: 1, method, params } };
  headers['Mcp-Method'] = method;
  if (typeof params['name'] === 'string') headers['Mcp-Name'] = params['name'];
  return { headers, body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } } };
}

/** The bytes of a tool's call. */
export function toolCall(era: Era, caller: Headers, name: string, given: object): Buffer {
  const { headers, body } = message(era, 'tools/call', { name, arguments: given });
  return requestBytes('POST', '/mcp', { ...headers, ...caller }, body);
}

/** A client that listens to changes of its person's graph. */
export class Listener {
  /** The announcements so far. */
  heard = 0;

  private constructor(
    private readonly answer: IncomingMessage,
    private readonly whenClosed: Promise<void>,
  ) {}

  /** Resolves when the subscription is acknowledged. @throws for any other answer */
  static async open(port: number, caller: Headers): Promise<Listener> {
    const filter = { notifications: { resourcesListChanged: true } };
    const { headers, body } = message(VERSION, 'subscriptions/listen', filter);
    const options = { port, method: 'POST', path: '/mcp', agent: false } as const;
    const sent = request({
      ...options,
      headers: { ...headers, ...caller, 'Content-Type': 'application/json' },
    });
    sent.end(JSON.stringify(body));
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).once('error', reject);
    });
    const listener = new Listener(answer, new Promise((closed) => answer.once('close', () => closed())));
    await listener.acknowledged();
    return listener;
  }

  private acknowledged(): Promise<void> {
    let head: string | null = '';
    return new Promise((resolve, reject) => {
      this.answer.on('error', () => undefined).once('end', () => reject(new Error(`no stream: ${head}`)));
      this.answer.setEncoding('utf8').on('data', (part: string) => {
        if (head === null) return void this.heard++;
        head += part;
        if (!head.includes('notifications/subscriptions/acknowledged')) return;
        head = null;
        resolve();
      });
    });
  }

  /** Leaves, and resolves when the connection is closed. */
  async close(): Promise<void> {
    this.answer.destroy();
    await this.whenClosed;
  }
}

/** An app that reads all but one tag of a person, by its key. */
export class App {
  private constructor(
    private readonly port: number,
    private readonly id: string,
    private readonly key: string,
  ) {}

  static async register(port: number, developer: Headers): Promise<App> {
    const requested_permissions = {
      tags: { discover: true, read: true },
      schemas: { read: { allow_all: true } },
    };
    const body = { name: 'assistant', requested_permissions };
    const app = await call(port, developer, { method: 'POST', path: '/apps', body });
    return new App(port, app['id'] as string, app['api_key'] as string);
  }

  /** @returns its headers for this person */
  async authorizedBy(person: Headers, userId: string): Promise<Headers> {
    const post = (path: string, body: object) =>
      call(this.port, person, { method: 'POST', path, body }) as Promise<{ id: string }>;
    const all = { tag_ids: [], allow_all: true };
    const hidden = await post('/tags', { name: 'hidden' });
    const profile = await post('/exposure-profiles', {
      name: 'all but hidden',
      tag_permissions: { discover: all, read: all },
      excluded_tag_ids: [hidden.id],
      schema_permissions: { read: { schema_ids: [], allow_all: true } },
    });
    await post('/authorizations', { app_id: this.id, exposure_profile_id: profile.id });
    return { 'X-API-Key': this.key, 'X-User-ID': userId };
  }
}
