import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo, type Socket } from 'node:net';
import { DeliveryWorker } from '../../src/delivery/application/delivery-worker.js';
import { type World } from '../support/world.js';

export interface Received {
  headers: IncomingHttpHeaders;
  text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
}

/** An app's own server: it records requests, and answers as configured. */
export class Receiver {
  readonly received: Received[] = [];
  /** Status of the next answers; 'hang' never answers. */
  answer: number | 'hang' = 200;
  redirectTo = '';

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<Receiver> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const receiver = new Receiver(server, `http://127.0.0.1:${port}/in`);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        receiver.received.push({ headers: request.headers, text, body: JSON.parse(text) });
        if (receiver.answer === 'hang') return;
        response.writeHead(
          receiver.answer,
          receiver.redirectTo === '' ? {} : { Location: receiver.redirectTo },
        );
        response.end();
      });
    });
    return receiver;
  }

  /** Event and title, or id, of everything that was received. */
  get told(): string[] {
    return this.received.map(({ body }) =>
      `${body.event} ${body.data.title ?? body.data.reason ?? ''}`.trim(),
    );
  }

  onConnection(hears: (socket: Socket) => void): void {
    this.server.on('connection', hears);
  }

  clear(): void {
    this.received.length = 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}

/** Sends everything that is due now. */
export const deliver = (world: World): Promise<void> => world.nest.get(DeliveryWorker).drain();
