import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type NextFunction, type Request, type Response } from 'express';
import { once } from 'node:events';
import { type Server } from 'node:http';
import { type AddressInfo, connect, Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { RootLogger } from '../observability/root-logger.js';

/** So long a client that knows nothing yet may send its next request over a connection that it has. */
const GRACE_MS = 500;
/** After this time a request that is still not complete, or an answer that nobody fetches, is given up. */
const LIMIT_MS = 8_000;

/**
 * Going without anybody noticing: what was sent before the signal gets its whole answer, each answer from then on says
 * that its connection ends with it, new connections are refused, and idle ones keep nobody waiting.
 */
@Injectable()
export class Draining implements BeforeApplicationShutdown {
  private readonly open = new Set<Response>();
  private isClosing = false;

  constructor(
    private readonly adapters: HttpAdapterHost,
    private readonly log: RootLogger,
  ) {}

  readonly middleware = (_request: Request, response: Response, next: NextFunction): void => {
    this.open.add(response);
    response.once('close', () => this.open.delete(response));
    if (this.isClosing) response.setHeader('Connection', 'close');
    next();
  };

  /** Comes before Nest closes the server, which would cut idle connections off at once. */
  async beforeApplicationShutdown(): Promise<void> {
    const server = this.adapters.httpAdapter?.getHttpServer() as Server | undefined;
    if (!server?.listening) return;
    this.isClosing = true;
    this.log.pino.info({ requests: this.open.size }, 'stopping');
    for (const response of this.open) if (!response.headersSent) response.setHeader('Connection', 'close');
    setTimeout(() => server.closeAllConnections(), LIMIT_MS).unref();
    const drained = once(server, 'close');
    await stopListening(server);
    // What has been accepted last is read before anything counts as idle.
    await nextTurn();
    await Promise.race([drained, this.answered()]);
    this.log.pino.info('no longer serving');
  }

  /** An answer that is still on its way out counts as idle for Node and would be cut off. */
  private async answered(): Promise<void> {
    await wait(GRACE_MS, undefined, { ref: false });
    await Promise.all(
      [...this.open].map((response) => new Promise((closed) => response.once('close', closed))),
    );
  }
}

/**
 * The kernel accepts connections before we do, one in each turn of the event loop, and resets those that still queue
 * when we stop listening. One of our own goes to the end of that queue: when it comes out, so has every connection from
 * before the signal.
 */
function stopListening(server: Server): Promise<void> {
  const { port, address } = server.address() as AddressInfo;
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
  return new Promise((stopped) => {
    const accepted = new Set<number | undefined>();
    const own = connect(port, host);
    const stop = (): void => {
      server.off('connection', look);
      NetServer.prototype.close.call(server);
      own.destroy();
      stopped();
    };
    const look = ({ remotePort }: Socket): void => {
      if (own.localPort !== undefined && remotePort === own.localPort) stop();
      else accepted.add(remotePort);
    };
    server.on('connection', look);
    own.once('error', stop);
    own.setTimeout(LIMIT_MS / 2, stop);
    own.once('connect', () => {
      if (accepted.has(own.localPort)) stop();
    });
  });
}
