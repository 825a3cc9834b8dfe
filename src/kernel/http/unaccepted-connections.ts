import { Logger } from '@nestjs/common';
import { type Server } from 'node:http';

const logger = new Logger('connections');
/** While the system has no memory there may be very many. */
const WARN_AGAIN_MS = 10_000;

/**
 * Nest hears errors of its server only until it listens. One of a server that listens is of a single connection, for
 * which the system had no memory, and would end the process with all the others.
 */
export function outliveUnaccepted(server: Server): void {
  let warned = -Infinity;
  server.on('error', (error) => {
    const now = performance.now();
    if (!server.listening || now - warned < WARN_AGAIN_MS) return;
    warned = now;
    logger.warn({ err: error }, 'a connection was not accepted');
  });
}
