import { type Request } from 'express';

/** The beginning of every path of the API; health, metrics, keys and documentation are outside. */
export const VERSION_PREFIX = 'api/v1';

/** The path by which the router decides: the raw target may spell the same path in another way. */
export const pathOf = ({ baseUrl, path }: Request): string => baseUrl + path;

export const isBelowPrefix = (request: Request): boolean =>
  `${pathOf(request)}/`.startsWith(`/${VERSION_PREFIX}/`);
