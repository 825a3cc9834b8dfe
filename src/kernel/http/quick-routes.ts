import { type RequestHandler } from 'express';

interface Layer {
  rawPath: unknown;
  match(path: string): unknown;
}

/** Where the first thing begins that is not to be found in a path letter by letter. */
const FIXED = /^[^:*{}()[\]\\?+!]*/;

/**
 * Lets a router compare how a path begins before it asks the pattern of a route: they are asked one after the other, and
 * there are more than a hundred. To be called when all routes are there; letter case has to count in them.
 */
export function compareBeginnings(router: object): void {
  for (const layer of (router as { stack: Layer[] }).stack) {
    const { rawPath } = layer;
    if (typeof rawPath !== 'string' || rawPath === '/') continue;
    const [fixed = ''] = FIXED.exec(rawPath) ?? [];
    const beginning = fixed === rawPath ? fixed.replace(/\/+$/, '') : fixed;
    const whole = layer.match.bind(layer);
    layer.match = (path) => path.startsWith(beginning) && whole(path);
  }
}

/** Several middlewares as one: the router takes more time for each than most of them do. */
export const inOneStep = (...steps: RequestHandler[]): RequestHandler =>
  steps.reduceRight(
    (rest, step) => (request, response, next) =>
      step(request, response, (error?: unknown) =>
        error === undefined ? rest(request, response, next) : next(error),
      ),
  );
