import { type NextFunction, type Request, type Response } from 'express';
import { callersReason } from '../change-log/reasons.js';
import { newId } from '../ids.js';
import { requestContext, type RequestContext, SYSTEM_ACTOR } from '../request-context.js';
import { RequestRights } from '../request-rights.js';
import { originOf } from '../inner-requests.js';

const ACCEPTED = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_REASON = 1000;
/** The cache policy of answers that nothing confirms. */
export const NOT_STORED = 'private, no-store';

/** Sets the id and the context of each request. A caller's own id is used only if it is harmless (rule 11.2). */
export function requestIdMiddleware(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && ACCEPTED.test(given) ? given : newId();
  Object.assign(request, { id: requestId, begunAt: performance.now() });
  response.setHeader('X-Request-Id', requestId);
  // An answer depends on the caller and on the current policy: only one that its text confirms may be stored (11.14).
  response.setHeader('Cache-Control', NOT_STORED);
  const heldTags = request.headers['if-none-match'];
  // Express would compare them with tags of versions, which do not move with names and policies.
  delete request.headers['if-none-match'];
  delete request.headers['if-modified-since'];
  const context = {
    requestId,
    actor: SYSTEM_ACTOR,
    changeReason: reasonOf(request),
    isBodiless: request.method === 'HEAD',
    isLeft: () => response.destroyed && !response.writableFinished,
    setHeader: (name: string, value: string) => {
      if (!response.headersSent) response.setHeader(name, value);
    },
    heldTags,
    rights: new RequestRights(
      request.method === 'GET' || request.method === 'HEAD',
      originOf(request)?.rights,
    ),
    ...wayOf(request),
  };
  requestContext.run(context, () => next());
}

/** The way of a request that a tool of MCP sends (rule 15.8). */
function wayOf(request: Request): Pick<RequestContext, 'via' | 'tool'> {
  const origin = originOf(request);
  return origin === undefined ? {} : { via: 'mcp', tool: origin.tool };
}

/** The time when a request began, by `performance.now()`. */
export const begunAt = (request: Request): number =>
  (request as Request & { begunAt?: number }).begunAt ?? performance.now();

/** Header texts arrive as Latin-1; clients send UTF-8. */
function reasonOf(request: Request): string | null {
  const header = request.headers['x-change-reason'];
  if (typeof header !== 'string' || header === '') return null;
  return callersReason(Buffer.from(header, 'latin1').toString('utf8').slice(0, MAX_REASON).toWellFormed());
}
