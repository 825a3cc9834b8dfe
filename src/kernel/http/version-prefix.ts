import { type Request } from 'express';

/** What every path of the API begins with; health, metrics, keys and documentation are outside. */
export const VERSION_PREFIX = 'api/v1';

/** By the path that the router goes by: the request's target as it was written may say the same in other letters. */
export const pathOf = ({ baseUrl, path }: Request): string => baseUrl + path;

export const isBelowPrefix = (request: Request): boolean =>
  `${pathOf(request)}/`.startsWith(`/${VERSION_PREFIX}/`);
