import { type Request } from 'express';
import { VERSION_PREFIX } from './version-prefix.js';

const names = new Map<string, string>();

/**
 * Method and pattern of a route, as `GET /nodes/:node_id`, which contain no ids. Call it only once the route is known.
 */
export function endpointName(request: Request): string {
  const { path } = request.route as { path: string };
  const key = `${request.method} ${path}`;
  let name = names.get(key);
  if (name === undefined)
    names.set(key, (name = `${request.method} ${path.replace(`/${VERSION_PREFIX}`, '')}`));
  return name;
}
