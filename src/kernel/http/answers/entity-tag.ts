import { type Response } from 'express';
import { createHash, hash } from 'node:crypto';
import { requestContext } from '../../request-context.js';

type Parts = readonly (string | Buffer)[];

/** 132 bits: nobody finds a second text with the same digest. */
const DIGEST_LENGTH = 22;
/** A cache that several accounts share tells their answers apart by these headers. */
const CREDENTIALS = 'Authorization, X-API-Key, X-User-ID';

/**
 * Sets the entity tag of an answer that its caller may confirm (rule 11.14): a digest of its text, behind the version
 * where the answer has one (`"2.<digest>"`, else `W/"<digest>"`). The digest covers all that the caller is shown, so a
 * renamed tag or another profile changes it, and no hidden change does.
 * @returns true if the caller already holds this very answer, as `If-None-Match` says: 304 answers it
 */
export function isHeld(response: Response, parts: Parts): boolean {
  const { isConfirmable, heldTags } = requestContext.current();
  if (isConfirmable !== true || response.statusCode !== 200) return false;
  const version = response.getHeader('ETag');
  const digest = digestOf(parts);
  const tag = typeof version === 'string' ? `${version.slice(0, -1)}.${digest}"` : `W/"${digest}"`;
  response.setHeader('ETag', tag);
  response.setHeader('Cache-Control', 'private, no-cache');
  response.vary(CREDENTIALS);
  return heldTags !== undefined && names(heldTags, tag);
}

function digestOf(parts: Parts): string {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined)
    return hash('sha256', inBytes(first), 'base64url').slice(0, DIGEST_LENGTH);
  const whole = createHash('sha256');
  for (const part of parts) whole.update(part);
  return whole.digest('base64url').slice(0, DIGEST_LENGTH);
}

/** Long texts beyond Latin-1 are digested as bytes in a fourth of the time. */
const inBytes = (part: string | Buffer): string | Buffer =>
  typeof part === 'string' && part.length > 4_096 ? Buffer.from(part) : part;

/**
 * The weak comparison of If-None-Match (RFC 9110, 13.1.2). `*` names no answer that its caller has seen, and what counts
 * as shown must have been (rule 8.10g), so it confirms none.
 */
function names(header: string, tag: string): boolean {
  const opaque = tag.replace(WEAK, '');
  return header.split(',').some((one) => one.trim().replace(WEAK, '') === opaque);
}

const WEAK = /^W\//;
