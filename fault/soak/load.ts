import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

export interface Reply {
  status: number;
  body: Json;
  bytes: Buffer;
  headers: IncomingHttpHeaders;
}

export interface Asked {
  headers?: Record<string, string>;
  /** Further accepted statuses; 2xx always is. */
  or?: readonly number[];
  /** True to disconnect in the middle. */
  isCutOff?: boolean;
}

/** Refusals by limits are not faults; the load is designed so that they are rare. */
const LIMITED = 429;
/** A long timeout, because the machine may be shared. */
const PATIENCE_MS = 180_000;
const CUT_OFF_MS = 100;
const BOUNDARY = 'a-boundary';
const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

/** Requests of all senders at a fixed rate. Half of them use kept connections. */
export class Load {
  sent = 0;
  limited = 0;
  /** Unexpected answers, and all faults: their number, and the first of each. */
  readonly wrong = new Map<string, { count: number; first: string }>();
  /** The number of successes of each operation. */
  readonly done = new Map<string, number>();
  /** Delays of the last minutes. */
  delays: number[] = [];
  isOver = false;
  #due = performance.now();
  readonly #kept = new Agent({ keepAlive: true, maxSockets: 16 });

  constructor(
    private readonly origin: string,
    private readonly rate: number,
  ) {}

  async send(by: Record<string, string>, what: string, body?: unknown, asked: Asked = {}): Promise<Reply> {
    await this.turn();
    const begun = performance.now();
    const reply = await this.exchange(by, what, body, asked);
    this.delays.push(performance.now() - begun);
    this.judge(what, reply, asked);
    return reply;
  }

  /** Call it when all requests are answered. */
  close(): void {
    this.#kept.destroy();
  }

  /** A late request does not catch up: the rate is a limit. */
  private async turn(): Promise<void> {
    const now = performance.now();
    this.#due = Math.max(this.#due, now - 1_000) + 1_000 / this.rate;
    if (this.#due > now) await sleep(this.#due - now);
  }

  private judge(what: string, { status, bytes }: Reply, { or = [], isCutOff = false }: Asked): void {
    if (isCutOff) return;
    const name = (what.split('?')[0] as string).replace(UUID, '{id}');
    if (status === LIMITED) this.limited += 1;
    else if (status === 0 || (status >= 300 && !or.includes(status)))
      this.blame(`${name} ${status}`, bytes.toString('utf8').slice(0, 300));
    else if (status < 300) this.done.set(name, (this.done.get(name) ?? 0) + 1);
  }

  private blame(what: string, text: string): void {
    const known = this.wrong.get(what) ?? { count: 0, first: `${new Date().toISOString()} ${text}` };
    known.count += 1;
    this.wrong.set(what, known);
  }

  /** One line for each. */
  get faults(): string[] {
    return [...this.wrong].map(([what, { count, first }]) => `${what} (${count} times, first ${first})`);
  }

  private exchange(by: Record<string, string>, what: string, body: unknown, asked: Asked): Promise<Reply> {
    const [method, path = ''] = what.split(' ');
    const url = path.startsWith('//') ? `${this.origin}${path.slice(1)}` : `${this.origin}/api/v1${path}`;
    const payload = bytesOf(body);
    const headers: Record<string, string | number> = {
      ...(payload.length === 0
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': payload.length }),
      ...by,
      ...asked.headers,
    };
    const agent = this.sent++ % 2 === 0 ? this.#kept : false;
    return new Promise((resolve) => {
      const failed = (error: Error): void =>
        resolve({ status: 0, body: null, bytes: Buffer.from(error.message), headers: {} });
      const sent = request(url, { method, headers, agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', failed);
        response.on('end', () => resolve(replyOf(response.statusCode as number, response.headers, chunks)));
      });
      // A kept connection may end while it is reused: the request was not received then, and is sent once more.
      sent.on('error', (error) => {
        if (sent.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET' && !asked.isCutOff)
          void this.exchange(by, what, body, asked).then(resolve);
        else failed(error);
      });
      sent.setTimeout(PATIENCE_MS, () => sent.destroy(new Error('no answer')));
      if (!asked.isCutOff) sent.end(payload);
      else {
        if (payload.length > 0) sent.write(payload.subarray(0, payload.length / 2));
        else sent.end();
        setTimeout(() => sent.destroy(), CUT_OFF_MS);
      }
    });
  }
}

/** A file as the body of a request, with its headers. */
export function multipart(content: Buffer): [body: Buffer, asked: Asked] {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
  return [body, { headers: { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` } }];
}

function bytesOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body));
}

function replyOf(status: number, headers: IncomingHttpHeaders, chunks: Buffer[]): Reply {
  const bytes = Buffer.concat(chunks);
  const isJson = /json/.test(headers['content-type'] ?? '') && bytes.length > 0;
  return { status, headers, bytes, body: isJson ? JSON.parse(bytes.toString('utf8')) : null };
}
