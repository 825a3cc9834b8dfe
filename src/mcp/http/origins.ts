import { type NextFunction, type Request, type Response } from 'express';
import { LOOPBACK } from '../../identity/index.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { pathOf } from '../../kernel/http/version-prefix.js';

const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Last-Event-ID',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'X-API-Key',
  'X-User-ID',
].join(', ');

/**
 * Refuses pages of foreign origins at the endpoint of MCP, as its specification demands against DNS rebinding, and lets the
 * other ones in by CORS (rule 15.2). A service on a person's own machine serves pages of that machine, under its own
 * name; any other serves pages that came by https. No page has a credential that a browser would add by itself.
 */
export function checkMcpOrigin(publicUrl: string) {
  const isLocal = LOOPBACK.has(new URL(publicUrl).hostname);
  return (request: Request, response: Response, next: NextFunction): void => {
    if (pathOf(request) !== '/mcp') return next();
    const { origin, host } = request.headers;
    if (isLocal && !isLoopback(`http://${host ?? ''}`)) return next(foreign('Host'));
    if (origin === undefined) return next();
    if (!(isLocal ? isLoopback(origin) : origin.startsWith('https://'))) return next(foreign('Origin'));
    response.vary('Origin');
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', 'WWW-Authenticate, Retry-After, Mcp-Session-Id');
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    if (request.method !== 'OPTIONS') return next();
    response.setHeader('Access-Control-Allow-Methods', 'POST');
    response.setHeader('Access-Control-Allow-Headers', ALLOWED_HEADERS);
    response.setHeader('Access-Control-Max-Age', '86400');
    response.status(204).end();
  };
}

function isLoopback(address: string): boolean {
  try {
    return LOOPBACK.has(new URL(address).hostname);
  } catch {
    return false;
  }
}

const foreign = (header: string): DomainError =>
  new DomainError('PERMISSION_DENIED', `${header} is not one that this service answers to (PUBLIC_URL)`);
