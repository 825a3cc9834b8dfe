import { connect, type Socket } from 'node:net';
import { type FullAccount } from '../../test/largest/full-account.js';

const BODY_BYTES = 8 * 1024 * 1024;
const PART = Buffer.alloc(16 * 1024, 32);
const PART_MS = 250;
/** The number of connections of each kind. */
const MANY = 8;
const AGAIN_MS = 500;

type Credentials = Record<string, string>;
type Who = () => Promise<Credentials>;

/**
 * Connections that occupy the service for as long as it permits: large bodies that arrive slowly, large
 * answers that are not read, streams. Refused connections are made again.
 */
export class Hangers {
  readonly #sockets = new Set<Socket>();
  #isOver = false;
  opened = 0;

  constructor(private readonly account: FullAccount) {
    const app = (): Promise<Credentials> => Promise.resolve(account.apps['hanging'] as Credentials);
    const owner = (): Promise<Credentials> => account.owner.credentials();
    for (let i = 0; i < MANY; i++) {
      void this.keep(() => this.slowBody(app));
      void this.keep(() => this.unread('/nodes?limit=100', app));
      void this.keep(() => this.unread('/sync/stream', app));
    }
    // The owner must not be prevented from their other actions in the storm.
    for (let i = 0; i < 2; i++)
      void this.keep(() => this.unread('/graph/snapshot?timestamp=2999-01-01', owner));
  }

  end(): void {
    this.#isOver = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  private async keep(hang: () => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      await hang().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  private async slowBody(who: Who): Promise<void> {
    const socket = this.open(
      'POST',
      '/nodes/batch',
      `Content-Type: application/json\r\nContent-Length: ${BODY_BYTES}\r\n`,
      await who(),
    );
    const timer = setInterval(() => socket.write(PART), PART_MS);
    socket.resume();
    await closed(socket);
    clearInterval(timer);
  }

  private async unread(path: string, who: Who): Promise<void> {
    const socket = this.open('GET', path, '', await who());
    socket.pause();
    // A socket that is not read does not report its end: a minute is longer than the service permits.
    const timer = setTimeout(() => socket.destroy(), 60_000);
    await closed(socket);
    clearTimeout(timer);
  }

  private open(...[method, path, more, credentials]: [string, string, string, Credentials]): Socket {
    const { hostname, port } = new URL(this.account.owner.origin);
    const headers = Object.entries(credentials)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    const socket = connect(Number(port), hostname);
    this.#sockets.add(socket);
    this.opened += 1;
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
    socket.write(`${method} /api/v1${path} HTTP/1.1\r\nHost: x\r\n${headers}${more}\r\n`);
    return socket;
  }
}

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => (socket.destroyed ? resolve() : socket.once('close', () => resolve())));
