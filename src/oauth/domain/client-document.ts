import { type ClientDescription, isWebAddress, LOOPBACK } from '../../identity/index.js';
import { parseJson } from '../../kernel/json/json-text.js';
import { isObject } from '../../kernel/json/json-values.js';
import { type Allowance, callableUrl } from '../../kernel/outgoing/public-addresses.js';
import { clientNameIn, isShort, redirectUrisIn } from './client-metadata.js';

/**
 * True for a client_id that is the address of a document (rule 14.3c): https with a path, in the one spelling that the
 * URL standard writes, so that there are no dot segments and no second spelling of one client. It has no user info, query
 * or fragment: a site that repeats its query would vouch for anybody.
 * @param allowance in development a document may be on this machine, over plain http
 */
export function isDocumentAddress(text: string, allowance: Allowance): boolean {
  if (/[?#]/.test(text)) return false;
  const url = callableUrl(text, allowance);
  if (url === null || url.href !== text || url.pathname === '/' || url.hostname.endsWith('.')) return false;
  return url.protocol === 'https:' || LOOPBACK.has(url.hostname);
}

/**
 * The client that a document describes; null for a document that is not valid. Unknown fields count for nothing, as does a
 * logo: the consent page shows no picture that others chose.
 */
export function descriptionIn(url: string, text: string): ClientDescription | null {
  const document = parsed(text);
  if (document?.client_id !== url || needsSecret(document)) return null;
  const name = clientNameIn(document.client_name);
  const redirectUris = redirectUrisIn(document.redirect_uris);
  if (name === null || redirectUris === null || redirectUris.length === 0) return null;
  return { name, redirectUris, homepageUrl: homepageIn(document.client_uri, url) };
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * True where the client cannot be a public one. ChatGPT prefers a signed assertion and names `none` among the methods that
 * it supports, for servers that do not advertise assertions.
 */
function needsSecret({
  client_secret: secret,
  token_endpoint_auth_method: method,
  token_endpoint_auth_methods_supported: methods,
}: Record<string, unknown>): boolean {
  if (secret !== undefined) return true;
  if (method === undefined || method === 'none') return false;
  return !Array.isArray(methods) || !methods.includes('none');
}

/** The page of the client, if it is of the site that vouches for it. */
function homepageIn(value: unknown, documentUrl: string): string | null {
  if (typeof value !== 'string' || !isShort(value) || !isWebAddress(value)) return null;
  return new URL(value).host === new URL(documentUrl).host ? value : null;
}

const LEAST_MS = 5 * 60_000;
const MOST_MS = 24 * 3_600_000;

/** The headers that say how long an answer may be used (RFC 9111, 4.2). */
export interface CacheHeaders {
  cacheControl: string | undefined;
  age: string | undefined;
  expires: string | undefined;
  date: string | undefined;
}

/**
 * The time for which a document is used without another look, in milliseconds: by its headers, at least five minutes and at
 * most a day.
 */
export function lifetimeOf(headers: CacheHeaders): number {
  const ms = 1_000 * freshSeconds(headers);
  return Math.min(MOST_MS, Math.max(LEAST_MS, Number.isFinite(ms) ? ms : 0));
}

function freshSeconds({ cacheControl = '', age, expires = '', date = '' }: CacheHeaders): number {
  const directives = cacheControl
    .toLowerCase()
    .split(',')
    .map((directive) => directive.trim());
  if (directives.some((directive) => /^no-(store|cache)\b/.test(directive))) return 0;
  const [, maxAge] = /(?:^|,)max-age="?(\d{1,10})"?(?:,|$)/.exec(directives.join(',')) ?? [];
  if (maxAge !== undefined) return Number(maxAge) - (Number(age) || 0);
  return (Date.parse(expires) - Date.parse(date)) / 1_000;
}
