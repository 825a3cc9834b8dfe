import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

export interface Call {
  receiver: number;
  at: number;
  headers: IncomingHttpHeaders;
  text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
}

/** Status of an answer; hang: never; reset: the connection is closed; redirect: to a path that must not be called. */
export type Manner = number | 'hang' | 'reset' | 'redirect' | { status: number; location: string };

/** The servers of many apps in one: `/in/<number>` is a receiver, everything else must never be called. */
export class Receivers {
  readonly strays: string[] = [];
  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(answer: (call: Call) => Manner): Promise<Receivers> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const receivers = new Receivers(server, (server.address() as AddressInfo).port);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('error', () => undefined);
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const number = /^\/in\/(\d+)$/.exec(request.url ?? '')?.[1];
        if (number === undefined) {
          receivers.strays.push(`${request.method} ${request.url}`);
          response.end();
          return;
        }
        const call = {
          receiver: Number(number),
          at: performance.now(),
          headers: request.headers,
          text,
          body: JSON.parse(text) as unknown,
        };
        give(response, answer(call));
      });
    });
    return receivers;
  }

  url(receiver: number): string {
    return `http://127.0.0.1:${this.port}/in/${receiver}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}

function give(response: ServerResponse, manner: Manner): void {
  if (manner === 'hang') return;
  if (manner === 'reset') response.destroy();
  else if (manner === 'redirect') response.writeHead(302, { Location: '/elsewhere' }).end();
  else if (typeof manner === 'number') response.writeHead(manner).end();
  else response.writeHead(manner.status, { Location: manner.location }).end();
}
