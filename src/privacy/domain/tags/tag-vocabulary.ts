import { rest } from '../../../kernel/slices.js';
import { boundedAlikeKey, storedAlikeKey } from './alike-keys.js';
import { alikeKey, isAscii, tagNameKey } from './tag-name.js';

/** The facts of a tag that rules and names need. A deleted tag has the last name it had. */
export interface KnownTag {
  readonly id: string;
  readonly name: string;
  readonly deleted: boolean;
  /** The time of its name or deletion; absent in vocabularies of the present. */
  readonly since?: Date;
}

/** Anything with the name of a tag. */
type Named = Pick<KnownTag, 'name'>;

/** A tag with the key of its name, once that is worked out. An ASCII name needs none: its key takes no time. */
interface KeyedTag extends KnownTag {
  alike?: string;
}

/** The size of a tag beside its name and the key of that. */
const BYTES_OF_A_TAG = 200;

/** The most tags in which one vocabulary differs from another that it is stored upon. */
const MOST_CHANGED = 128;

/** All tags of one owner, living and deleted, at one moment. Read once, never changed. */
export class TagVocabulary {
  /** An estimate of the memory used, with that of the vocabulary below. */
  readonly bytes: number;
  private readonly byId: ReadonlyMap<string, KeyedTag>;
  private keys: Map<string, KnownTag[]> | null = null;

  /**
   * Few tags, or those of another vocabulary: the first lookup by name works out missing keys in one go.
   * @param below the vocabulary that has all other tags; it has none below itself
   */
  constructor(
    tags: Iterable<KnownTag>,
    private readonly below: TagVocabulary | null = null,
  ) {
    const byId = new Map<string, KeyedTag>();
    let characters = 0;
    for (const tag of tags) {
      byId.set(tag.id, tag);
      characters += tag.name.length;
    }
    this.byId = byId;
    // A name and its key, two bytes for a character.
    this.bytes = byId.size * BYTES_OF_A_TAG + 4 * characters + (below?.bytes ?? 0);
  }

  /** The stored tags of an owner; the keys of their names are worked out in slices between which others are served. */
  static async of(tags: readonly KeyedTag[]): Promise<TagVocabulary> {
    await keyAll(tags);
    return new TagVocabulary(tags);
  }

  /**
   * The vocabulary after these tags were made or changed. It shares the memory of all others with this one, unless many
   * have changed since that was read as a whole; then they are copied, in slices.
   */
  async with(changed: readonly KeyedTag[]): Promise<TagVocabulary> {
    if (changed.length === 0) return this;
    await keyAll(changed);
    const above = new Map<string, KeyedTag>(this.below === null ? [] : this.byId);
    for (const tag of changed) above.set(tag.id, tag);
    if (above.size <= MOST_CHANGED) return new TagVocabulary(above.values(), this.below ?? this);
    const tags: KnownTag[] = [];
    for (const tag of (this.below ?? this).all()) {
      if (!above.has(tag.id)) tags.push(tag);
      const pause = rest();
      if (pause !== undefined) await pause;
    }
    return new TagVocabulary([...tags, ...above.values()]);
  }

  /** Finds deleted tags as well. */
  get(tagId: string): KnownTag | undefined {
    return this.byId.get(tagId) ?? this.below?.byId.get(tagId);
  }

  isLiving(tagId: string): boolean {
    return this.get(tagId)?.deleted === false;
  }

  /** Null when the tag is deleted or not one of this owner's. */
  nameOf(tagId: string): string | null {
    const tag = this.get(tagId);
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
    return this.ofKey(boundedAlikeKey(name));
  }

  /** The same for the name of a tag of any moment, or of a reference in rules; its key is worked out once. */
  namesakes(tag: Named): readonly KnownTag[] {
    return this.ofKey(keyOf(tag));
  }

  /** All tags, deleted ones included, in no order. */
  *all(): IterableIterator<KnownTag> {
    yield* this.byId.values();
    for (const tag of this.below?.byId.values() ?? []) if (!this.byId.has(tag.id)) yield tag;
  }

  private ofKey(key: string): readonly KnownTag[] {
    this.keys ??= byKey(this.byId.values());
    const own = this.keys.get(key) ?? [];
    if (this.below === null) return own;
    return [...this.below.ofKey(key).filter(({ id }) => !this.byId.has(id)), ...own];
  }
}

/** Works out the keys of names that need one, in slices between which others are served. */
async function keyAll(tags: readonly KeyedTag[]): Promise<void> {
  for (const tag of tags) {
    if (isAscii(tag.name)) continue;
    tag.alike = storedAlikeKey(tag.name);
    const pause = rest();
    if (pause !== undefined) await pause;
  }
}

/** Keys of names that {@link keyAll} has not worked out: of references, and of tags in small vocabularies. */
const keys = new WeakMap<Named, string>();

function keyOf(tag: Named & Pick<KeyedTag, 'alike'>): string {
  if (tag.alike !== undefined) return tag.alike;
  if (isAscii(tag.name)) return boundedAlikeKey(tag.name);
  let key = keys.get(tag);
  if (key === undefined) keys.set(tag, (key = boundedAlikeKey(tag.name)));
  return key;
}

/** Tags by name, built on first use: most requests need ids only. */
function byKey(tags: Iterable<KeyedTag>): Map<string, KnownTag[]> {
  const keys = new Map<string, KnownTag[]>();
  for (const tag of tags) {
    const key = keyOf(tag);
    const same = keys.get(key);
    if (same) same.push(tag);
    else keys.set(key, [tag]);
  }
  return keys;
}
