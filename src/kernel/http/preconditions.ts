import { type Request, type Response } from 'express';
import { DomainError } from '../errors/domain-error.js';

/**
 * Sets the strong entity tag of a version (RFC 9110, 8.8.3); a text replaces the number where the caller may not know
 * it.
 */
export function setEtag(response: Response, version: number | string): void {
  response.setHeader('ETag', `"${version}"`);
}

/** True if a request names the state that it is for; `*` names any. */
export function hasIfMatch({ headers }: Request): boolean {
  const header = headers['if-match'];
  return header !== undefined && header.trim() !== '*';
}

/**
 * If-Match (RFC 9110, 13.1.1): `*` or a list of entity tags, of which the version in front of a dot counts (rule
 * 11.14). Weak tags never match.
 * @param current the version as setEtag writes it for this caller
 * @throws PRECONDITION_FAILED (412) when none matches
 */
export function checkIfMatch(request: Request, current: number | string): void {
  if (!hasIfMatch(request)) return;
  const header = request.headers['if-match'] as string;
  const wanted = `"${current}"`;
  const tags = header.split(',').map((tag) => tag.trim());
  if (tags.some((tag) => versionOf(tag) === wanted)) return;
  throw new DomainError('PRECONDITION_FAILED', mismatch(tags, wanted));
}

/** The same check for resources with a public version, as a function of their current state. */
export const ifVersionMatches =
  (request: Request) =>
  ({ version }: { version: number }): void =>
    checkIfMatch(request, version);

function mismatch(tags: readonly string[], wanted: string): string {
  if (!tags.every((tag) => ENTITY_TAG.test(tag)))
    return 'If-Match must be "<version>", in quotes, as in the ETag';
  if (tags.some((tag) => versionOf(tag) === `W/${wanted}`))
    return 'A weak entity tag never matches: send If-Match without W/';
  return 'If-Match does not name the current version';
}

/** An entity tag without the digest of the answer that it came with. */
const versionOf = (tag: string): string => tag.replace(/\.[^".]*"$/, '"');

const ENTITY_TAG = /^(W\/)?"[^"]*"$/;
