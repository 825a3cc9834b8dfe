import { createInterface } from 'node:readline';
import { type Readable } from 'node:stream';
import { parseJson } from '../../kernel/json/json-text.js';
import {
  type Api,
  type ApiAnswer,
  type ApiCall,
  type ChangedNodes,
  refusalOf,
  withQuery,
} from '../domain/api.js';
import { changedNodes } from './sync-events.js';

export interface HttpRequest {
  method: string;
  /** The path below the version prefix, with its query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
}

export interface HttpAnswer {
  status: number;
  body: Readable;
  entityTag?: string | undefined;
}

/** The API in HTTP, by whichever connection a subclass has. */
export abstract class HttpApi implements Api {
  /** @throws ApiRefusal where the service cannot be reached */
  protected abstract send(request: HttpRequest): Promise<HttpAnswer>;

  async call(method: string, path: string, call: ApiCall = {}): Promise<ApiAnswer> {
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const answer = await this.send({
      method,
      path: withQuery(path, call.query),
      headers: {
        ...sendable(call.headers),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      body,
    });
    const { status, entityTag } = answer;
    const text = await textOf(answer.body);
    if (status >= 400) throw refusalOf(status, asJson(text));
    return { status, body: text === '' ? {} : (parseJson(text) as ApiAnswer['body']), entityTag };
  }

  async follow(): Promise<AsyncIterable<ChangedNodes>> {
    const path = withQuery('sync/stream', { from: 'now', ids_only: true, limit: 1000 });
    const { status, body } = await this.send({ method: 'GET', path, headers: {} });
    if (status !== 200) throw refusalOf(status, asJson(await textOf(body)));
    return changedNodes(createInterface({ input: body }));
  }
}

/** Headers without the characters that no header may have: they come from texts of a model. */
const sendable = (headers: ApiCall['headers'] = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace(/[^\t\x20-\x7e\x80-\xff]/g, ' ')]),
  );

async function textOf(body: Readable): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(Buffer.from(part as Uint8Array));
  return Buffer.concat(parts).toString('utf8');
}

/** The value of a refusal's body; null where a proxy before the service has answered in another format. */
function asJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
