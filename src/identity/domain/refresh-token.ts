import { randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * One link of a chain: the tokens of one log-in are a family, each spent one has produced the next (rule
 * 1.3).
 */
export interface RefreshToken {
  userId: string;
  id: string;
  /** Id of the log-in. */
  familyId: string;
  tokenHash: string;
  createdAt: Date;
  expiresAt: Date;
  spentAt: Date | null;
  endedAt: Date | null;
}

export type RefreshTokenState = 'living' | 'spent' | 'ended' | 'expired';

/**
 * The state of a token that is presented now. `spent` precedes `expired`: a used token that comes back was
 * stolen or copied, at any age; one of an ended family has nothing more to end.
 */
export function stateOf(
  token: Pick<RefreshToken, 'expiresAt' | 'spentAt' | 'endedAt'>,
  now: Date,
): RefreshTokenState {
  if (token.endedAt !== null) return 'ended';
  if (token.spentAt !== null) return 'spent';
  return token.expiresAt <= now ? 'expired' : 'living';
}

/** The log-in that a refresh token belongs to. */
export type Family = Pick<RefreshToken, 'userId' | 'familyId'>;

/**
 * The time after its use in which a token in a cookie gets its successor once more (rule 1.24c): a page that was closed or
 * loaded again has lost the answer, and tabs refresh at the same time.
 */
export const COOKIE_GRACE_MS = 60_000;

const PREFIX = 'pig_refresh_';
const ID_BYTES = 16;
const CHANCE_BYTES = 33;
const SIGNATURE_BYTES = 16;
const SIGNED_BYTES = 2 * ID_BYTES + CHANCE_BYTES;

/** True for a text of the form of {@link newRefreshText}, or of the earlier form, which was chance alone. */
export const isRefreshText = (text: string): boolean => /^pig_refresh_(?:[\w-]{43}|[\w-]{108})$/.test(text);

/**
 * A new secret of 264 bits, with its log-in and a signature: once spent it needs no row to be recognized.
 * @param sign a keyed digest in base64url
 */
export const newRefreshText = (family: Family, sign: (text: string) => string): string =>
  refreshText(family, sign, randomBytes(CHANCE_BYTES));

/**
 * The one token for which another is exchanged in a cookie: concurrent exchanges have the same result, and nobody
 * without the key can make it.
 */
export function successorOf(text: string, family: Family, sign: (text: string) => string): string {
  const digests = ['successor', 'of'].map((word) => Buffer.from(sign(`${word} ${text}`), 'base64url'));
  return refreshText(family, sign, Buffer.concat(digests).subarray(0, CHANCE_BYTES));
}

function refreshText({ userId, familyId }: Family, sign: (text: string) => string, chance: Buffer): string {
  const signed = Buffer.concat([bytesOf(userId), bytesOf(familyId), chance]);
  return PREFIX + Buffer.concat([signed, signatureOf(signed, sign)]).toString('base64url');
}

/** The log-in that a text names; null for a text that this service has not made, or in the earlier form. */
export function familyIn(text: string, sign: (text: string) => string): Family | null {
  const bytes = Buffer.from(text.slice(PREFIX.length), 'base64url');
  if (!isRefreshText(text) || bytes.length !== SIGNED_BYTES + SIGNATURE_BYTES) return null;
  const signed = bytes.subarray(0, SIGNED_BYTES);
  if (!timingSafeEqual(bytes.subarray(SIGNED_BYTES), signatureOf(signed, sign))) return null;
  return {
    userId: idOf(signed.subarray(0, ID_BYTES)),
    familyId: idOf(signed.subarray(ID_BYTES, 2 * ID_BYTES)),
  };
}

const signatureOf = (signed: Buffer, sign: (text: string) => string): Buffer =>
  Buffer.from(sign(signed.toString('base64url')), 'base64url').subarray(0, SIGNATURE_BYTES);

const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

const idOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
