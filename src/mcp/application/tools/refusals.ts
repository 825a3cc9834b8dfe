import { type ApiRefusal, type Json } from '../../domain/api.js';
import { type Links } from '../../domain/tool.js';

/** One text for what is absent and what is hidden. */
const ABSENT = 'I cannot find this: it does not exist, or I may not see it.';

/**
 * The sentence that an assistant reads in place of an answer. Where the person can help, it says what to ask them for.
 * @param authorizationId of the client's own authorization, for the link; null where it is not known
 */
export function sentenceOf(error: ApiRefusal, links: Links, authorizationId: string | null): string {
  const { status, message, details, code } = error;
  if (status === 404) return ABSENT;
  if (status === 401) return 'My access has ended. Ask the person to connect me again.';
  if (error.isOfPermission)
    return `${sentence(message)} Ask the person to connect me again and to allow this, or to let me see more: ${links.app(authorizationId)}`;
  if (code === 'QUOTA_EXCEEDED')
    return `${sentence(message)} Nothing was saved: only the person can make room.`;
  if (status === 429)
    return `Too many requests. Try again in ${Number(details['retry_after'] ?? 60)} seconds.`;
  if (status >= 500) return `The service cannot do this now. Try again later. (${code})`;
  return `${sentence(message)}${fieldsOf(details, message)}`;
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Faults of single fields, as validation names them, without those that the message has. */
function fieldsOf(details: Json, said: string): string {
  const faults = Object.values(details)
    .flat()
    .filter((fault): fault is { field: string; message: string } => {
      const { field, message } = (fault ?? {}) as Json;
      return typeof field === 'string' && typeof message === 'string';
    });
  const lines = faults.map(({ field, message }) => `${field}: ${message}`);
  return lines.map((line) => (said.includes(line) ? '' : ` ${line}.`)).join('');
}
