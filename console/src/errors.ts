import { ApiError } from '../../clients/typescript/src/client.js';

/** A step that the person gave up; nothing has to be said. */
export class Cancelled extends Error {}

/** An error whose message is for the person as it is. */
export class PlainError extends Error {}

const PASSKEY: Record<string, string> = {
  NotAllowedError: 'Your device did not use a passkey. You can try again, or use your password.',
  InvalidStateError: 'This device has a passkey for your account already.',
  SecurityError: 'Passkeys do not work at this address. Use your password.',
};

/** Texts for people where the API's own speaks to developers. */
const TEXTS: Record<string, string> = {
  NOT_FOUND: 'This is not here. It may have ended meanwhile.',
  NODE_NOT_FOUND: 'This note is not here. It may have been deleted.',
  MAIL_NOT_CONFIGURED: 'This service sends no letters. Ask the person who runs it for a link.',
  PASSKEYS_NOT_CONFIGURED: 'Passkeys are not set up at this service. Use your password.',
  INVALID_CHALLENGE: 'This step took too long. Begin again.',
  CONSENT_EXPIRED: 'This request has expired. Go back to the app and begin again there.',
  REQUEST_CHANGED: 'The app has changed what it asks for. Load this page again to see it.',
  PROFILE_INSUFFICIENT: 'This profile shows less than the app needs. Choose another one.',
  INTERNAL_ERROR: 'Something went wrong in the service. Try again in a moment.',
};

export const codeOf = (error: unknown): string | null => (error instanceof ApiError ? error.code : null);

/** One sentence for the person about something that did not work. */
export function textOf(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.status === 429) return waitText(error.retryAfter);
    return TEXTS[error.code] ?? error.message.replace(/^\d+ \w+: /, '').replace(/([^.!?])$/, '$1.');
  }
  if (error instanceof PlainError) return error.message;
  if (error instanceof DOMException) return PASSKEY[error.name] ?? 'Your device did not use a passkey.';
  return 'The service cannot be reached. Check your connection and try again.';
}

function waitText(seconds: number | null): string {
  if (seconds === null) return 'Too many attempts. Try again in a moment.';
  const minutes = Math.ceil(seconds / 60);
  return seconds < 60
    ? `Too many attempts. Try again in ${seconds} seconds.`
    : `Too many attempts. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
}
