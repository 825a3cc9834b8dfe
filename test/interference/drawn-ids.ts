import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, randomUUID } from 'node:crypto';
import { type Server } from 'node:http';

/** Ids drawn within a request are a function of its X-Request-Id, so that both worlds draw the same. */
const drawing = new AsyncLocalStorage<{ seed: string; count: number }>();

export function drawnId(): string {
  const draws = drawing.getStore();
  if (draws === undefined) return randomUUID();
  const hash = createHash('sha256').update(`${draws.seed}:${++draws.count}`).digest('hex');
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `4${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`];
  return [...parts, hash.slice(20, 32)].join('-');
}

/** Makes every request of this server draw its ids that way. */
export function drawIdsByRequest(server: Server): void {
  const emit = server.emit.bind(server) as (...event: unknown[]) => boolean;
  server.emit = ((...event: [string, { headers: Record<string, string> }]) => {
    if (event[0] !== 'request') return emit(...event);
    const seed = event[1].headers['x-request-id'] ?? randomUUID();
    return drawing.run({ seed, count: 0 }, () => emit(...event));
  }) as Server['emit'];
}
