import { type NextFunction, type Request, type Response } from 'express';

/** Endpoints that clients in browsers call from their own sites. None of them reads a cookie. */
const OPEN = /^\/(?:\.well-known\/|oauth\/(?:token|revoke|register|introspect|par|device_authorization)$)/;

/** Lets pages of any origin call the endpoints of OAuth, without credentials of the browser (rule 14.1). */
export function openToAnyOrigin(request: Request, response: Response, next: NextFunction): void {
  if (!OPEN.test(request.path)) return next();
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', 'WWW-Authenticate, Retry-After');
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  if (request.method !== 'OPTIONS') return next();
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST');
  response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type, MCP-Protocol-Version');
  response.setHeader('Access-Control-Max-Age', '86400');
  response.status(204).end();
}
