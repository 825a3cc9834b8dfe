import { type Clock } from '../../../kernel/clock.js';
import { codePoints } from '../../../kernel/text/code-points.js';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { isId, newId } from '../../../kernel/ids.js';
import { mapInSlices } from '../../../kernel/slices.js';
import { hasUnseen, NAME_IS_SEEN } from '../../../kernel/text/unseen-characters.js';
import {
  type Access,
  alikeKey,
  lengthFault,
  mayAssignTags,
  TAG_NAME_LENGTH,
  tagNameKey,
} from '../../../privacy/index.js';
import { grants } from '../../common/index.js';
import { newTag, type Tag, type TagName } from '../domain/tag.js';
import { type TagsRepository } from '../infrastructure/tags.repository.js';

export type AssignmentVerb = 'create' | 'edit' | 'propose';

/** The possible meanings of a string in a node body. */
interface Word extends TagName {
  /** Set when the string has the shape of an id. */
  id: string | null;
  /** Equal for names that look the same: they are one tag. */
  alike: string;
}

/** The tags that an assignment finds and creates. */
export type AssignmentTags = Pick<TagsRepository, 'findNamed' | 'lockAll' | 'insertNew'>;

interface Tools {
  tags: AssignmentTags;
  clock: Clock;
  /** Called for every created tag. */
  made: (tag: Tag) => void;
}

/**
 * Turns tag names of node bodies into tag ids, within one unit of work: missing tags are created, and
 * created ones are allowed in the rest of the unit, which is why a batch uses one assignment for all its
 * items.
 * Strings in the guard's vocabulary need no query. The vocabulary is the state of the database after the
 * request came, so a tag renamed or deleted meanwhile is treated as if this write had been first. As soon
 * as one string is unknown, all are looked up in the database, which also has tags created or deleted
 * since. A caller from whom tags may be hidden creates none (rule 3.7), and is refused without that lookup:
 * its time would distinguish an unknown name from the name of a hidden tag.
 */
export class TagAssignment {
  /** Ids of tags created in this unit, by the skeleton of their names. */
  private readonly fresh = new Map<string, string>();
  private readonly words = new Map<string, Word>();
  /** Ids of tags that this assignment itself has created. */
  readonly created: string[] = [];

  constructor(
    private readonly access: Access,
    private readonly tools: Tools,
  ) {}

  /**
   * Tag ids in the order of the names, each once. Of two concurrent requests for the same new tag, one
   * creates it and both assign it.
   * @param given names, or ids of own tags (rule 4.14); at least one
   * @throws PERMISSION_DENIED when one of the tags is not granted for the verb, or is new and the verb has
   * no `allow_new` (rule 3.7); VALIDATION_ERROR for an invalid tag name
   */
  async resolve(verb: AssignmentVerb, given: readonly string[]): Promise<string[]> {
    const words = await mapInSlices(given, (text) => this.read(text));
    const known = this.known(verb, given);
    if (known !== null) return known;
    for (const word of words) this.refuseLong(word);
    const found = await this.lookUp(words);
    const missing = unique(words.filter((_, index) => found[index] === null));
    this.refuse(verb, given, found);
    const made = missing.length === 0 ? new Map<string, string>() : await this.make(missing);
    return [...new Set(words.map((word, index) => found[index] ?? (made.get(word.alike) as string)))];
  }

  /** The same, when every string is known; null when one has to be looked up, and perhaps created. */
  known(verb: AssignmentVerb, given: readonly string[]): string[] | null {
    const ids = given.map((text) => this.recall(this.read(text)));
    if (this.access.tags.discover.allowAll && ids.includes(null)) return null;
    this.refuse(verb, given, ids);
    return [...new Set(ids as string[])];
  }

  /** Reads a string once, because the items of a batch mostly carry the same few tags. */
  private read(given: string): Word {
    let word = this.words.get(given);
    if (word === undefined) this.words.set(given, (word = readWord(given)));
    return word;
  }

  /** No tag can have taken a name that is too long since the vocabulary was read, so that none is looked up. */
  private refuseLong(word: Word): void {
    const fault = lengthFault(word.name, TAG_NAME_LENGTH);
    if (fault === null || this.recall(word) !== null) return;
    throw DomainError.validation('tags', `a tag name ${fault}`);
  }

  private recall({ id, name, alike }: Word): string | null {
    const { vocabulary } = this.access;
    if (id !== null && vocabulary.nameOf(id) !== null) return id;
    return this.fresh.get(alike) ?? vocabulary.idOf(name);
  }

  /** Ids of the words; null where no living tag has the id or the name. */
  private async lookUp(words: readonly Word[]): Promise<(string | null)[]> {
    const alike = words.map(({ name }) => this.access.vocabulary.idOf(name));
    const ids = [...words.map(({ id }) => id), ...alike].flatMap((id) => id ?? []);
    const tags = await this.tools.tags.findNamed(
      this.access.ownerId,
      words.map(({ key }) => key),
      ids,
    );
    const living = new Set(tags.map(({ id }) => id));
    const byKey = new Map(tags.map(({ id, name_key }) => [name_key, id]));
    return words.map(({ id, key }, index) => {
      if (id !== null && living.has(id)) return id;
      const other = alike[index] as string | null;
      return byKey.get(key) ?? (other !== null && living.has(other) ? other : null);
    });
  }

  /**
   * Refuses tags without a grant. A tag that is not in the vocabulary was created after this request came:
   * it is judged like one that this write creates, so that losing a race is not refused.
   */
  private refuse(verb: AssignmentVerb, given: readonly string[], found: readonly (string | null)[]): void {
    const { tags, vocabulary } = this.access;
    const own = new Set(this.fresh.values());
    const isRefused = (text: string, index: number): boolean => {
      const id = found[index] ?? null;
      if (id !== null && own.has(id)) return false;
      const isNew = id === null || (vocabulary.get(id) === undefined && !grants(tags[verb], id));
      const asked = isNew ? { tagIds: [], newNames: [text] } : { tagIds: [id], newNames: [] };
      return !mayAssignTags(this.access, verb, asked);
    };
    if (!given.some(isRefused)) return;
    throw refusalOf(unique(given.filter(isRefused).map((text) => this.read(text))));
  }

  /**
   * Creates tags; returns their ids by skeleton. Waits for concurrent writers that create a tag of the same
   * name.
   */
  private async make(names: readonly Word[]): Promise<Map<string, string>> {
    const { tags, clock, made } = this.tools;
    const owner_id = this.access.ownerId;
    await tags.lockAll(owner_id);
    if (names.some(({ name }) => hasUnseen(name)))
      throw DomainError.validation('tags', `a tag name ${NAME_IS_SEEN}`);
    const wanted = names.map((name) => newTag({ owner_id, id: newId(), at: clock.now() }, name));
    const saved = await tags.insertNew(wanted);
    const ids = new Map<string, string>();
    for (const tag of wanted.filter(({ id }) => saved.has(id))) {
      ids.set(tag.name_key, tag.id);
      made(tag);
      this.created.push(tag.id);
    }
    const elsewhere = wanted.filter(({ id }) => !saved.has(id)).map(({ name_key }) => name_key);
    if (elsewhere.length > 0) {
      for (const { id, name_key } of await tags.findNamed(owner_id, elsewhere, [])) ids.set(name_key, id);
    }
    const idsByAlike = new Map(names.map(({ key, alike }) => [alike, ids.get(key) as string]));
    for (const [alike, id] of idsByAlike) this.fresh.set(alike, id);
    return idsByAlike;
  }
}

/** The error in the caller's own words: a tag named by its id is never named by its name. */
function refusalOf(words: readonly TagName[]): DomainError {
  const named = JSON.stringify(words.map(({ name }) => name)).slice(1, -1);
  return new DomainError('PERMISSION_DENIED', `You may not assign ${named || 'one of these tags'}`);
}

/** A name in its stored form: trimmed and in NFC, so that the shown name equals the stored one. */
export function tagName(given: string): TagName {
  const name = given.trim().normalize('NFC');
  return { name, key: tagNameKey(name) };
}

function readWord(given: string): Word {
  const word = tagName(given);
  const length = codePoints(word.name);
  if (length < 1 || length > TAG_NAME_LENGTH) {
    throw DomainError.validation('tags', `a tag name has 1 to ${TAG_NAME_LENGTH} characters`);
  }
  return { ...word, id: isId(word.name) ? word.name.toLowerCase() : null, alike: alikeKey(word.name) };
}

function unique(words: readonly Word[]): Word[] {
  const first = new Map<string, Word>();
  for (const word of words) if (!first.has(word.alike)) first.set(word.alike, word);
  return [...first.values()];
}
