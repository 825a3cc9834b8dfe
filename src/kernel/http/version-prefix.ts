import { type Request } from 'express';

/** What every path of the API begins with; health, metrics, keys and documentation are outside. */
export const VERSION_PREFIX = 'api/v1';

export const isBelowPrefix = ({ originalUrl }: Request): boolean =>
  originalUrl.startsWith(`/${VERSION_PREFIX}/`) || originalUrl.split('?')[0] === `/${VERSION_PREFIX}`;
