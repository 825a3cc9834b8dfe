import { Logger } from '@nestjs/common';
import { type Server } from 'node:http';

const logger = new Logger('connections');

/**
 * Nest hears errors of its server only until it listens. One of a server that listens is of a single connection, for
 * which the system had no memory, and would end the process with all the others.
 */
export function outliveUnaccepted(server: Server): void {
  server.on('error', (error) => {
    if (server.listening) logger.warn({ err: error }, 'a connection was not accepted');
  });
}
