interface Layer {
  rawPath: unknown;
  match(path: string): unknown;
}

/** The literal beginning of a path pattern. */
const FIXED = /^[^:*{}()[\]\\?+!]*/;

/**
 * Makes a router compare the literal beginning of a route before it matches the route's pattern: patterns are tried one
 * after the other, and there are more than a hundred. Call it after all routes are registered; they must be
 * case-sensitive.
 */
export function matchByPrefix(router: object): void {
  for (const layer of (router as { stack: Layer[] }).stack) {
    const { rawPath } = layer;
    if (typeof rawPath !== 'string' || rawPath === '/') continue;
    const [fixed = ''] = FIXED.exec(rawPath) ?? [];
    const beginning = fixed === rawPath ? fixed.replace(/\/+$/, '') : fixed;
    const whole = layer.match.bind(layer);
    layer.match = (path) => path.startsWith(beginning) && whole(path);
  }
}
