import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type KeyKind } from './api-key.js';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const WORD: Record<KeyKind, string> = { app: 'live', user: 'user' };
const KEY_WORDS = Object.values(WORD);
const SHAPE = /^pig_([a-z]+)_([0-9A-Za-z]+)$/;
/** Bytes from here on would make some digits likelier than others. */
const UNBIASED = 256 - (256 % DIGITS.length);

/** A new secret: `pig_live_` or `pig_user_`, 30 random base62 characters (178 bits), 6 of checksum (rule 1.6). */
export const newKeyText = (kind: KeyKind): string => newSecretText(WORD[kind], RANDOM_LENGTH);

/** A new secret `pig_<word>_` with this number of random characters, and a checksum. */
export function newSecretText(word: string, length: number): string {
  const random = randomDigits(length);
  return `pig_${word}_${random}${checksumOf(random)}`;
}

/** CRC32 of the characters as a number in base62, the highest digit first, padded with zeros to six. */
export function checksumOf(characters: string): string {
  let rest = crc32(characters);
  let text = '';
  for (; rest > 0; rest = Math.floor(rest / DIGITS.length)) text = DIGITS.charAt(rest % DIGITS.length) + text;
  return text.padStart(CHECKSUM_LENGTH, '0');
}

/** True if a text has the form and checksum of a key: any other was never issued, and needs no query. */
export const isKeyText = (text: string): boolean => isSecretText(text, KEY_WORDS, RANDOM_LENGTH);

/** True if a text has the form of {@link newSecretText} with one of these words, and its checksum. */
export function isSecretText(text: string, words: readonly string[], length: number): boolean {
  const [, word, characters] = SHAPE.exec(text) ?? [];
  if (word === undefined || characters?.length !== length + CHECKSUM_LENGTH || !words.includes(word))
    return false;
  return checksumOf(characters.slice(0, length)) === characters.slice(length);
}

/**
 * The stored form of a secret, and its look-up key: SHA-256, in hex. Keys have enough entropy to need no slow
 * hash.
 */
export function hashOfSecret(text: string): string {
  return hash('sha256', text);
}

/**
 * The marks by which a developer recognizes a key: the kind with the first four characters, and the last
 * four.
 */
export function marksOf(text: string): { prefix: string; lastFour: string } {
  return { prefix: text.slice(0, 'pig_live_'.length + 4), lastFour: text.slice(-4) };
}

function randomDigits(count: number): string {
  let text = '';
  while (text.length < count) {
    for (const byte of randomBytes(count - text.length)) {
      if (byte < UNBIASED) text += DIGITS.charAt(byte % DIGITS.length);
    }
  }
  return text;
}
