import { type Request } from 'express';

/** The beginning of every path of the API; health, metrics, keys and documentation are outside. */
export const VERSION_PREFIX = 'api/v1';

/**
 * The path by which the router decides: the raw target may spell the same path in another way, and a slash at its end means
 * nothing to the router.
 */
export const pathOf = ({ baseUrl, path }: Request): string => {
  const whole = baseUrl + path;
  return whole.length > 1 && whole.endsWith('/') ? whole.slice(0, -1) : whole;
};

export const isBelowPrefix = (request: Request): boolean =>
  `${pathOf(request)}/`.startsWith(`/${VERSION_PREFIX}/`);
