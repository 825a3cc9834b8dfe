import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type NextFunction, type Request, type Response } from 'express';
import { once } from 'node:events';
import { type Server } from 'node:http';
import { type AddressInfo, connect, Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { RootLogger } from '../observability/root-logger.js';

/** The time in which clients unaware of the shutdown may still send a request over an open connection. */
const GRACE_MS = 500;
/** The time after which incomplete requests and unread answers are abandoned. */
const LIMIT_MS = 8_000;

/**
 * Graceful shutdown: requests sent before the signal get their whole answer, each answer from then on closes its
 * connection, new connections are refused, and idle ones delay nothing.
 */
@Injectable()
export class Draining implements BeforeApplicationShutdown {
  private readonly open = new Set<Response>();
  private isClosing = false;
  /** Tests whose clients are all done put a smaller one in its place. */
  private readonly graceMs = GRACE_MS;

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

  /** Runs before Nest closes the server, which would cut idle connections off at once. */
  async beforeApplicationShutdown(): Promise<void> {
    const server = this.adapters.httpAdapter?.getHttpServer() as Server | undefined;
    if (!server?.listening) return;
    this.isClosing = true;
    this.log.pino.info({ requests: this.open.size }, 'stopping');
    for (const response of this.open) if (!response.headersSent) response.setHeader('Connection', 'close');
    setTimeout(() => server.closeAllConnections(), LIMIT_MS).unref();
    const drained = once(server, 'close');
    await stopListening(server);
    // Requests on the connections accepted last are read before any connection counts as idle.
    await nextTurn();
    await Promise.race([drained, this.answered()]);
    this.log.pino.info('no longer serving');
  }

  /**
   * Waits until all answers are sent: Node counts a connection as idle while its answer is still being sent, and would
   * cut it off.
   */
  private async answered(): Promise<void> {
    await wait(this.graceMs, undefined, { ref: false });
    await Promise.all(
      [...this.open].map((response) => new Promise((closed) => response.once('close', closed))),
    );
  }
}

/**
 * The operating system accepts connections first and queues them; the process takes one in each turn of the event loop.
 * Those still queued when it stops listening are reset. A connection of our own goes to the end of that queue: when it
 * is accepted, so is every connection from before the signal.
 */
function stopListening(server: Server): Promise<void> {
  const { port, address } = server.address() as AddressInfo;
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
  return new Promise((stopped) => {
    const accepted = new Set<number | undefined>();
    const own = connect(port, host);
    const stop = (): void => {
      server.off('connection', checkAccepted);
      NetServer.prototype.close.call(server);
      own.destroy();
      stopped();
    };
    const checkAccepted = ({ remotePort }: Socket): void => {
      if (own.localPort !== undefined && remotePort === own.localPort) stop();
      else accepted.add(remotePort);
    };
    server.on('connection', checkAccepted);
    own.once('error', stop);
    own.setTimeout(LIMIT_MS / 2, stop);
    own.once('connect', () => {
      if (accepted.has(own.localPort)) stop();
    });
  });
}
