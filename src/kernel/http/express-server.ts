import { ExpressAdapter } from '@nestjs/platform-express';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { isFastPathOn } from '../fast-paths.js';
import { requestContext } from '../request-context.js';
import { requestClasses } from './fast-paths/request-shapes.js';
import { filesFromMemory } from './openapi/swagger-files.js';
import { admitToConnection, endStalled } from './unanswered-requests.js';

/** Streams have a dozen listeners for the end of their answer; Node would warn of a leak above ten. */
const MOST_LISTENERS = 30;

/** Express with the server's own rules on when an answer begins and how it ends. */
export class ExpressServer extends ExpressAdapter {
  /** Confirms the rights of a request that took long before it is answered (rule 2.8). */
  override reply(...answer: Parameters<ExpressAdapter['reply']>): unknown {
    const { rights } = requestContext.current();
    if (rights?.isOld !== true) return super.reply(...answer) as unknown;
    return rights.confirm().then(() => super.reply(...answer) as unknown);
  }

  override initHttpServer(): void {
    const express = this.getInstance<RequestListener & Parameters<typeof requestClasses>[0]>();
    const classes = isFastPathOn('request-shapes') ? requestClasses(express) : {};
    // The only listener that answers: a request that it drops is not served.
    this.httpServer = createServer(classes, (request, response) => {
      if (!admitToConnection(request, response)) return;
      response.setMaxListeners(MOST_LISTENERS);
      endWithConnection(request, response);
      express(request, response);
    });
    endStalled(this.httpServer);
  }

  /**
   * Serves the files of Swagger UI, the only static ones, from memory: `express.static` would hold a file of the disk open
   * for each answer that waits.
   */
  override useStaticAssets(folder: string, { prefix = '' }: { prefix?: string } = {}): unknown {
    return this.use(prefix, filesFromMemory(folder));
  }
}

const queued = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Pipelined requests wait in a queue for their answers to be sent. When the connection closes, Node notifies only the
 * answer at the head of the queue; code that waits for the others would never learn of it (no end of the request in the
 * access log, files that stay open).
 */
function endWithConnection({ socket }: IncomingMessage, response: ServerResponse): void {
  if (response.socket !== null) return;
  let answers = queued.get(socket);
  if (answers === undefined) {
    const all = (answers = new Set());
    queued.set(socket, all);
    socket.once('close', () => all.forEach(close));
  }
  const waiting = answers.add(response);
  response.once('close', () => waiting.delete(response));
}

/** Closes an answer the way Node does; Node does not repeat the event then. */
function close(response: ServerResponse & { _closed?: boolean }): void {
  if (response.closed) return;
  response.destroyed = true;
  response._closed = true;
  response.emit('close');
}
