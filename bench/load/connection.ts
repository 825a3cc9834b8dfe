import { createConnection, type Socket } from 'node:net';

export interface Answer {
  status: number;
  body: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const CHUNKS_END = Buffer.from('0\r\n\r\n');

/**
 * One keep-alive connection with at most one request under way. It parses no more of an answer than its end: the
 * generator shares two cores with the measured server, so every microsecond here is one less for the server.
 */
export class Connection {
  private readonly socket: Socket;
  private received: Buffer = Buffer.alloc(0);
  private waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | null = null;

  constructor(port: number) {
    this.socket = createConnection({ port, host: '127.0.0.1', noDelay: true });
    this.socket.on('data', (data) => this.receive(data));
    this.socket.on('error', (error) => this.fail(error));
    this.socket.on('close', () => this.fail(new Error('the server closed the connection')));
  }

  send(request: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket.write(request);
    });
  }

  close(): void {
    this.socket.removeAllListeners('close');
    this.socket.destroy();
  }

  private fail(error: Error): void {
    this.waiting?.reject(error);
    this.waiting = null;
  }

  private receive(data: Buffer): void {
    this.received = this.received.length === 0 ? data : Buffer.concat([this.received, data]);
    const head = this.received.indexOf(HEAD_END);
    if (head < 0) return;
    const end = this.endOfBody(head + 4);
    if (end === null || this.received.length < end) return;
    const answer = {
      status: Number(this.received.toString('latin1', 9, 12)),
      body: this.received.subarray(head + 4, end),
    };
    this.received = this.received.subarray(end);
    const { waiting } = this;
    this.waiting = null;
    waiting?.resolve(answer);
  }

  private endOfBody(begin: number): number | null {
    const headers = this.received.toString('latin1', 0, begin).toLowerCase();
    const length = /\r\ncontent-length: *(\d+)/.exec(headers);
    if (length) return begin + Number(length[1]);
    if (!headers.includes('transfer-encoding: chunked')) return begin;
    return this.received.subarray(-CHUNKS_END.length).equals(CHUNKS_END) ? this.received.length : null;
  }
}

/** The bytes of a request, ready to send. */
export function requestBytes(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Buffer {
  const content = body === undefined ? '' : JSON.stringify(body);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  if (body !== undefined)
    lines.push(`Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(content)}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}\r\n${content}`);
}
