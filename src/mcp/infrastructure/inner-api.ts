import { type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { type InnerRequests, type Origin } from '../../kernel/http/inner-requests.js';
import { parseJson } from '../../kernel/json/json-text.js';
import { VERSION_PREFIX } from '../../kernel/http/version-prefix.js';
import {
  type Api,
  type ApiAnswer,
  type ApiCall,
  type ChangedNodes,
  refusalOf,
  withQuery,
} from '../domain/api.js';
import { changedNodes } from './sync-events.js';

const ONLY_IDS = { ids_only: true, limit: 1000 };

export interface InnerClient {
  origin: Origin;
  /** The credential of the outer request. */
  headers: Readonly<Record<string, string>>;
  /** Aborted when the client of the outer request has left. */
  gone: AbortSignal;
}

/** The API of this process, called with the credential of the request at hand. */
export class InnerApi implements Api {
  constructor(
    private readonly requests: InnerRequests,
    private readonly client: InnerClient,
  ) {}

  async call(method: string, path: string, call: ApiCall = {}): Promise<ApiAnswer> {
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const answer = await this.send(method, withQuery(path, call.query), {
      headers: { ...call.headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      body,
    });
    const parts: Buffer[] = [];
    for await (const part of answer) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString('utf8');
    const status = answer.statusCode as number;
    const value = (text === '' ? {} : parseJson(text)) as ApiAnswer['body'];
    if (status >= 400) throw refusalOf(status, value);
    return { status, body: value };
  }

  async follow(): Promise<AsyncIterable<ChangedNodes>> {
    const cursor = await this.presentCursor();
    const stream = await this.send('GET', withQuery('sync/stream', { ...ONLY_IDS, cursor }));
    if (stream.statusCode !== 200) {
      stream.resume();
      throw refusalOf(stream.statusCode as number, {});
    }
    return changedNodes(createInterface({ input: stream }));
  }

  /** The cursor of all that the client is shown now. */
  private async presentCursor(): Promise<string> {
    for (let cursor: string | undefined; ;) {
      const { body } = await this.call('GET', 'sync', { query: { ...ONLY_IDS, cursor } });
      cursor = body['cursor'] as string;
      if (body['has_more'] !== true) return cursor;
    }
  }

  private send(
    method: string,
    path: string,
    { headers = {}, body }: { headers?: ApiCall['headers']; body?: string | undefined } = {},
  ): Promise<IncomingMessage> {
    const { origin, gone } = this.client;
    return this.requests.send(origin, {
      method,
      path: `/${VERSION_PREFIX}/${path}`,
      headers: { ...this.client.headers, ...headers },
      body,
      signal: gone,
    });
  }
}
