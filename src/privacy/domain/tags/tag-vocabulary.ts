import { rest } from '../../../kernel/slices.js';
import { boundedAlikeKey, storedAlikeKey } from './alike-keys.js';
import { alikeKey, isAscii, tagNameKey } from './tag-name.js';

/** The facts of a tag that rules and names need. A deleted tag has the last name it had. */
export interface KnownTag {
  readonly id: string;
  readonly name: string;
  readonly deleted: boolean;
}

/** A tag with the key of its name, once that is worked out. An ASCII name needs none: its key takes no time. */
interface KeyedTag extends KnownTag {
  alike?: string;
}

/** The size of a tag beside its name and the key of that. */
const BYTES_OF_A_TAG = 200;

/** All tags of one owner, living and deleted, at one moment. Read once, never changed. */
export class TagVocabulary {
  /** An estimate of the memory used. */
  readonly bytes: number;
  private readonly byId: ReadonlyMap<string, KeyedTag>;
  private keys: Map<string, KnownTag[]> | null = null;

  /** Few tags, or those of another vocabulary: the first lookup by name works out missing keys in one go. */
  constructor(tags: Iterable<KnownTag>) {
    const byId = new Map<string, KeyedTag>();
    let characters = 0;
    for (const tag of tags) {
      byId.set(tag.id, tag);
      characters += tag.name.length;
    }
    this.byId = byId;
    // A name and its key, two bytes for a character.
    this.bytes = byId.size * BYTES_OF_A_TAG + 4 * characters;
  }

  /** The stored tags of an owner; the keys of their names are worked out in slices between which others are served. */
  static async of(tags: readonly KeyedTag[]): Promise<TagVocabulary> {
    for (const tag of tags) {
      if (isAscii(tag.name)) continue;
      tag.alike = storedAlikeKey(tag.name);
      const pause = rest();
      if (pause !== undefined) await pause;
    }
    return new TagVocabulary(tags);
  }

  /** Finds deleted tags as well. */
  get(tagId: string): KnownTag | undefined {
    return this.byId.get(tagId);
  }

  isLiving(tagId: string): boolean {
    return this.byId.get(tagId)?.deleted === false;
  }

  /** Null when the tag is deleted or not one of this owner's. */
  nameOf(tagId: string): string | null {
    const tag = this.byId.get(tagId);
    return tag === undefined || tag.deleted ? null : tag.name;
  }

  /**
   * The living tag of that name, compared by name key; else one whose name is drawn alike; null if neither
   * exists. Two such tags can only be older than this comparison: then a third spelling means the one in plain
   * letters, else the one with the smallest id (rule 4.14e).
   */
  idOf(name: string): string | null {
    const living = this.named(name).filter(({ deleted }) => !deleted);
    if (living.length <= 1) return living[0]?.id ?? null;
    for (const key of [tagNameKey(name), alikeKey(name)]) {
      const named = living.find((tag) => tagNameKey(tag.name) === key);
      if (named !== undefined) return named.id;
    }
    return living.reduce((first, tag) => (tag.id < first.id ? tag : first)).id;
  }

  /** Every tag of that name, or of one that is drawn alike; deleted ones included. */
  named(name: string): readonly KnownTag[] {
    this.keys ??= byKey(this.byId.values());
    return this.keys.get(boundedAlikeKey(name)) ?? [];
  }

  /** All tags, deleted ones included, in no order. */
  all(): IterableIterator<KnownTag> {
    return this.byId.values();
  }
}

/** Tags by name, built on first use: most requests need ids only. */
function byKey(tags: Iterable<KeyedTag>): Map<string, KnownTag[]> {
  const keys = new Map<string, KnownTag[]>();
  for (const tag of tags) {
    const key = tag.alike ?? boundedAlikeKey(tag.name);
    const same = keys.get(key);
    if (same) same.push(tag);
    else keys.set(key, [tag]);
  }
  return keys;
}
