import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo, type Socket } from 'node:net';
import { DeliveryWorker } from '../../src/delivery/application/delivery-worker.js';
import { type Client } from '../support/client.js';
import { holdClock } from '../support/moved-clock.js';
import { type TestApp, type TestUser, World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

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

interface Subscribing {
  world: World;
  clock: ReturnType<typeof holdClock>;
  receiver: Receiver;
  alice: TestUser;
  app: TestApp;
  client: Client;
}

type Listening = Pick<Subscribing, 'world' | 'clock' | 'receiver' | 'alice'>;

/** One service with a clock that stays for a file of tests; a new receiver and person for each test. */
function withListener(
  meet: (met: Listening) => Promise<void>,
  environment: Record<string, string> = {},
): void {
  let world: World;
  let clock: ReturnType<typeof holdClock>;
  let receiver: Receiver;
  withWorld(
    (started) => {
      world = started;
      clock = holdClock(world);
    },
    () => World.startHere(environment),
  );
  beforeEach(async () => {
    receiver = await Receiver.start();
    await meet({ world, clock, receiver, alice: await world.user() });
  });
  afterEach(() => receiver.stop());
}

/** The same with a new authorized app for each test. */
export function withReceiver(
  meet: (met: Subscribing) => void,
  environment: Record<string, string> = {},
): void {
  withListener(async (met) => {
    const app = await met.world.app();
    meet({ ...met, app, client: await met.alice.lets(app) });
  }, environment);
}

/** The same with two tags of the person, and no app. Events are sent only by explicit calls. */
export function withTwoTags(meet: (met: Listening & { open: string; secret: string }) => void): void {
  withListener(
    async (met) => {
      const tag = async (name: string): Promise<string> => (await met.alice.post('/tags', { name })).body.id;
      meet({ ...met, open: await tag('open'), secret: await tag('secret') });
    },
    { WEBHOOK_WORKERS: 'false' },
  );
}
