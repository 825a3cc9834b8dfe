import { type ServerResponse } from 'node:http';

const WINDOW_MS = 60_000;
const LEAST_BYTES = 64 * 1024;

/**
 * Ends an answer of which the client takes less than 64 KiB in a minute: it holds a connection and what it opened. An
 * answer that waits for its source, not for its client, continues (rule 11.9h).
 */
export function requireLeastRate(response: ServerResponse): void {
  const written = (): number => response.socket?.bytesWritten ?? 0;
  let before = written();
  const timer = setInterval(() => {
    const now = written();
    if (now - before < LEAST_BYTES && response.writableLength > 0) response.destroy();
    before = now;
  }, WINDOW_MS).unref();
  response.once('close', () => clearInterval(timer));
}
