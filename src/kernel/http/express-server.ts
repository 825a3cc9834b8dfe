import { ExpressAdapter } from '@nestjs/platform-express';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/** Streams have a dozen that wait for the end of their answer; Node would take more than ten for a leak. */
const MOST_LISTENERS = 30;

/**
 * Express gives every request and answer another prototype, which makes an object of a form of its own of each of them:
 * the engine then looks up every property of it the slow way, to the end of the request. Here they are made with that
 * prototype, so that there is nothing to change.
 */
export class ExpressServer extends ExpressAdapter {
  override initHttpServer(): void {
    class Incoming extends IncomingMessage {}
    class Outgoing extends ServerResponse {}
    const express = this.getInstance<{ request: object; response: object }>();
    express.request = Object.setPrototypeOf(Incoming.prototype, express.request) as object;
    express.response = Object.setPrototypeOf(Outgoing.prototype, express.response) as object;
    Outgoing.prototype.setMaxListeners(MOST_LISTENERS);
    const own = { IncomingMessage: Incoming, ServerResponse: Outgoing };
    this.httpServer = createServer(own, this.getInstance());
    this.httpServer.prependListener('request', endWithConnection);
  }
}

const queued = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Requests may be sent one after the other without waiting, and their answers then wait for their turn. When the
 * connection goes, Node tells it only to the answer whose turn it is; whoever works for the others would never hear of
 * it (no end of the request in the access log, files that stay open).
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

/** As Node does it, which does not tell it again then. */
function close(response: ServerResponse & { _closed?: boolean }): void {
  if (response.closed) return;
  response.destroyed = true;
  response._closed = true;
  response.emit('close');
}
