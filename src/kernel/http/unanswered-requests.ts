import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/** The unanswered requests that one connection may have. */
const MOST_UNANSWERED = 16;

const unanswered = new WeakMap<Socket, number>();

/**
 * Counts a request for its connection until its answer is sent or the connection has closed. One with too many is
 * destroyed: a client without an account could otherwise pipeline a thousand requests in each packet (rule 11.9l).
 * @returns false for a request that must not be served. Node parses the rest of a packet even after the connection was
 *   destroyed, so those requests are refused here, too.
 */
export function admitToConnection({ socket }: IncomingMessage, response: ServerResponse): boolean {
  if (socket.destroyed) return false;
  const count = unanswered.get(socket) ?? 0;
  if (count >= MOST_UNANSWERED) {
    socket.destroy();
    return false;
  }
  unanswered.set(socket, count + 1);
  response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 0) - 1));
  return true;
}

/** The time without a byte after which a connection with an unread answer ends. */
const STALLED_MS = 60_000;

/**
 * Ends connections whose client takes nothing of an answer for a minute: they would hold its bytes as long as they like.
 * Those without an answer to send wait for their handlers, or for their next request as long as Node lets them.
 */
export function endStalled(server: Server): void {
  server.timeout = STALLED_MS;
  // With a listener, Node leaves every end to it: that of idle connections, too.
  server.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0 || unanswered.get(socket) === 0) socket.destroy();
  });
}
