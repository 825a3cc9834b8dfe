import { request, type Agent, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Agents } from './agents.js';

export interface Answer {
  status: number;
  /** Parsed JSON, or the text if the answer is not JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface Download extends Answer {
  /** The bytes of the body before decompression. */
  bytes: Buffer;
}

export interface Options {
  headers?: Record<string, string>;
}

/** Called with every answer that passes through a client, for tests that check all of them (leak markers). */
export type Witness = (method: string, path: string, answer: Answer) => void;

/** Speaks HTTP to a running service; paths are below the version prefix unless they begin with '//'. */
export class Client {
  constructor(
    private readonly origin: string,
    readonly credentials: Record<string, string> = {},
    private readonly witness: Witness = () => undefined,
    /** The agents that keep connections open; without any each request has its own. */
    private readonly agents: Agents | null = null,
  ) {}

  get = (path: string, options?: Options) => this.send('GET', path, undefined, options);
  post = (path: string, body?: unknown, options?: Options) => this.send('POST', path, body, options);
  put = (path: string, body?: unknown, options?: Options) => this.send('PUT', path, body, options);
  patch = (path: string, body?: unknown, options?: Options) => this.send('PATCH', path, body, options);
  delete = (path: string, body?: unknown, options?: Options) => this.send('DELETE', path, body, options);

  /** The same caller with other or additional headers. */
  with(headers: Record<string, string>): Client {
    return new Client(this.origin, { ...this.credentials, ...headers }, this.witness, this.agents);
  }

  /** A string or buffer body is sent as it is, anything else as JSON. */
  async send(method: string, path: string, body?: unknown, options: Options = {}): Promise<Download> {
    const url = path.startsWith('//') ? `${this.origin}${path.slice(1)}` : `${this.origin}/api/v1${path}`;
    const raw = typeof body === 'string' || Buffer.isBuffer(body);
    const payload = body === undefined ? undefined : raw ? body : JSON.stringify(body);
    const headers: Record<string, string> = {
      ...(payload === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(payload)) }),
      ...this.credentials,
      ...options.headers,
    };
    const answer = await exchange(this.agents?.next() ?? false, method, url, headers, payload);
    this.witness(method, path, answer);
    return answer;
  }
}

type Exchange = [method: string, url: string, headers: Record<string, string>, payload?: string | Buffer];

/** One request to any address, unchanged, on a connection of its own. */
export const exchangeBytes = (...request: Exchange): Promise<Download> => exchange(false, ...request);

function exchange(agent: Agent | false, ...[method, url, headers, payload]: Exchange): Promise<Download> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (response) => {
      // A stream has no end to wait for; tests read its events with a reader of their own.
      if (/event-stream/.test(response.headers['content-type'] ?? '')) {
        const { statusCode, headers: heads } = response;
        resolve({ status: statusCode as number, body: '', headers: heads, text: '', bytes: Buffer.alloc(0) });
        response.destroy();
        return;
      }
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const text = restored(bytes, response.headers['content-encoding']).toString('utf8');
        const isJson = /json/.test(response.headers['content-type'] ?? '');
        resolve({
          status: response.statusCode as number,
          body: isJson && text ? JSON.parse(text) : text,
          headers: response.headers,
          text,
          bytes,
        });
      });
    });
    sent.on('error', reject);
    sent.end(payload);
  });
}

/** The bytes before their compression. An answer to a HEAD has none. */
function restored(bytes: Buffer, coding: string | undefined): Buffer {
  if (coding === undefined || bytes.length === 0) return bytes;
  return coding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes);
}
