import { ExpressAdapter } from '@nestjs/platform-express';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';

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
    const own = { IncomingMessage: Incoming, ServerResponse: Outgoing };
    this.httpServer = createServer(own, this.getInstance());
  }
}
