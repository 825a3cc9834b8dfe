import { IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';

interface Express {
  request: object;
  response: object;
}

/**
 * Fast path `request-shapes`. Express changes the prototype of every request and answer, which gives each object a
 * shape of its own: the engine then looks up every property the slow way, to the end of the request. These classes have
 * that prototype from the beginning, so that nothing needs to change.
 */
export function requestClasses(express: Express): ServerOptions {
  class Incoming extends IncomingMessage {}
  class Outgoing extends ServerResponse {}
  express.request = Object.setPrototypeOf(Incoming.prototype, express.request) as object;
  express.response = Object.setPrototypeOf(Outgoing.prototype, express.response) as object;
  return { IncomingMessage: Incoming, ServerResponse: Outgoing as typeof ServerResponse };
}
