import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { alikeKey } from './tag-name.js';

/** The length of a key above which its digest replaces it: some letters are eighteen in their compatibility form. */
const LONGEST_KEY = 128;
/** The memory of all entries: two accounts full of tags with short names, or one with the longest. */
const MAX_BYTES = 16 * 1024 * 1024;
/** The size of an entry beside its texts. */
const ENTRY_BYTES = 150;

const remembered = new LRUCache<string, string>({
  maxSize: MAX_BYTES,
  sizeCalculation: (key, name) => ENTRY_BYTES + 2 * (name.length + key.length),
});

/** A key of bounded length that is equal exactly for names with one {@link alikeKey}. */
export function boundedAlikeKey(name: string): string {
  const key = alikeKey(name);
  // No key has capital letters, so that none is equal to a digest.
  return key.length <= LONGEST_KEY ? key : `SHA-256 ${createHash('sha256').update(key).digest('base64')}`;
}

/**
 * The same key, remembered as far as there is room: it takes up to a tenth of a millisecond, and a new tag makes all
 * tags of its owner be read again. For stored names only: a name that a caller sends would be found sooner if somebody
 * has a tag of that name.
 */
export function storedAlikeKey(name: string): string {
  let key = remembered.get(name);
  if (key === undefined) remembered.set(name, (key = boundedAlikeKey(name)));
  return key;
}
