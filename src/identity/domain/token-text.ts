import { hashOfSecret, isSecretText, newSecretText } from './key-text.js';

/** An access token opens the API; a refresh token gets further ones at the token endpoint. */
export type AppTokenKind = 'access' | 'refresh';

const WORD: Record<AppTokenKind, string> = { access: 'at', refresh: 'rt' };
/** 256 bits. */
const LENGTH = 43;

/** A new secret: `pig_at_` or `pig_rt_`, 43 random base62 characters, 6 of checksum (rule 14.4). */
export const newTokenText = (kind: AppTokenKind): string => newSecretText(WORD[kind], LENGTH);

/** True if a text has the form and checksum of a token of that kind. */
export const isTokenText = (kind: AppTokenKind, text: string): boolean =>
  isSecretText(text, [WORD[kind]], LENGTH);

/** The stored form of a token, in which it is looked up. */
export const digestOfToken = hashOfSecret;
