import { type ServerResponse } from 'node:http';
import { DomainError } from '../../errors/domain-error.js';

const WINDOW_MS = 60_000;
const LEAST_BYTES = 64 * 1024;

/**
 * Ends an answer of which the client takes less than 64 KiB in a minute: it holds a connection and what it opened. An
 * answer that waits for its source, not for its client, continues (rule 11.9h).
 */
export function requireLeastRate(response: ServerResponse): void {
  const written = (): number => response.socket?.bytesWritten ?? 0;
  inEachWindow(response, written, (moved) => {
    if (moved < LEAST_BYTES && response.writableLength > 0) response.destroy();
  });
}

/**
 * Calls back when the client sends less than 64 KiB of a body in a minute: it holds a connection and what was opened
 * for it. A body that waits for its reader, at the beginning or the end of the minute, continues.
 */
export function requireLeastRateOfBody(response: ServerResponse, refuse: (error: DomainError) => void): void {
  const { req: request } = response;
  let wasAwaited = true;
  const received = (): number => request.socket.bytesRead;
  inEachWindow(response, received, (moved) => {
    const isAwaited = !request.complete && request.readableLength === 0;
    if (moved < LEAST_BYTES && isAwaited && wasAwaited) refuse(tooSlow());
    wasAwaited = isAwaited;
  });
}

/** Reports the bytes moved in each minute until the answer ends. */
function inEachWindow(response: ServerResponse, count: () => number, report: (moved: number) => void): void {
  let before = count();
  const timer = setInterval(() => {
    const now = count();
    const moved = now - before;
    before = now;
    report(moved);
  }, WINDOW_MS).unref();
  response.once('close', () => clearInterval(timer));
}

const tooSlow = (): DomainError =>
  new DomainError('REQUEST_TIMEOUT', `At least ${LEAST_BYTES} bytes of the body must arrive in each minute`, {
    min_bytes_per_minute: LEAST_BYTES,
  });
