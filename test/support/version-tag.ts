import { hash } from 'node:crypto';
import { type Answer } from './client.js';

/** The entity tag of an answer without the digest of its text: the part that If-Match compares (rule 11.14). */
export const versionTag = ({ headers }: Answer): string =>
  String(headers['etag']).replace(/\.[\w-]{22}"$/, '"');

/**
 * The answer with the word `digest` where its entity tag has the digest of its own text: two worlds may show other
 * pseudonyms. A tag that depends on anything else stays as it is.
 */
export function withoutDigest(answer: Answer): Answer {
  const { etag, ...headers } = answer.headers;
  if (etag === undefined) return answer;
  const digest = hash('sha256', answer.text, 'base64url').slice(0, 22);
  return { ...answer, headers: { ...headers, etag: String(etag).replace(digest, 'digest') } };
}
