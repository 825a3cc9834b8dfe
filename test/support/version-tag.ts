import { type Answer } from './client.js';

/** The entity tag of an answer without the digest of its text: the part that If-Match compares (rule 11.14). */
export const versionTag = ({ headers }: Answer): string =>
  String(headers['etag']).replace(/\.[\w-]{22}"$/, '"');
