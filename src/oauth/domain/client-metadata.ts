import { isRedirectUri } from '../../identity/index.js';
import { codePoints } from '../../kernel/text/code-points.js';
import { hasUnseen } from '../../kernel/text/unseen-characters.js';

/** The bounds of registered apps, which hold for clients that describe themselves as well. */
const NAME_LENGTH = 100;
const ADDRESS_LENGTH = 2_000;
const MOST_REDIRECT_URIS = 20;

/** The name in a client's description of itself; null for one that cannot be shown as it is. */
export function clientNameIn(value: unknown): string | null {
  if (typeof value !== 'string' || hasUnseen(value)) return null;
  const name = value.trim();
  return name === '' || codePoints(name) > NAME_LENGTH ? null : name;
}

/** True for an address that an answer may go to, by the rule of registered apps. */
const isClientRedirect = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= ADDRESS_LENGTH && !hasUnseen(value) && isRedirectUri(value);

/** The redirect URIs in a client's description of itself, each checked by itself; null where one is refused. */
export const redirectUrisIn = (value: unknown): string[] | null =>
  Array.isArray(value) && value.length <= MOST_REDIRECT_URIS && value.every(isClientRedirect)
    ? [...new Set(value)]
    : null;

/** True for a text that is stored and shown as an address. */
export const isShort = (address: string): boolean => address.length <= ADDRESS_LENGTH;
