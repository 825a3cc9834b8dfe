import { Logger } from '@nestjs/common';
import { type Server } from 'node:http';

const logger = new Logger('connections');
/** Such errors may come in great numbers while the system has no memory. */
const WARN_AGAIN_MS = 10_000;

/**
 * Nest handles errors of its server only until it listens. Afterwards an error belongs to a single connection, for
 * which the system had no memory; unhandled, it would end the process.
 */
export function surviveAcceptErrors(server: Server): void {
  let warned = -Infinity;
  server.on('error', (error) => {
    const now = performance.now();
    if (!server.listening || now - warned < WARN_AGAIN_MS) return;
    warned = now;
    logger.warn({ err: error }, 'a connection was not accepted');
  });
}
