import {
  grants,
  markErrors,
  mayDiscover,
  unmaskFields,
  refuse,
  slicesOfShowing,
  tagNotFound,
} from '../../common/index.js';
import { type ChangedFields } from '../../../kernel/change-log/changed-fields.js';
import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../../../kernel/change-log/change-log.js';
import { Clock } from '../../../kernel/clock.js';
import { DomainError, type FieldError } from '../../../kernel/errors/domain-error.js';
import { isId, newId } from '../../../kernel/ids.js';
import { isSame } from '../../../kernel/json/json-values.js';
import { UnitOfWork } from '../../../kernel/change-log/unit-of-work.js';
import { isUniqueViolation } from '../../../kernel/database/violations.js';
import { type Access, ExposureProfiles, type KnownTag, tagNameKey } from '../../../privacy/index.js';
import { nameFault, tagFieldErrors } from '../domain/tag-fields.js';
import { shownTag } from '../domain/tag-view.js';
import { changeTag, deletedTag, newTag, type Tag, type TagFields, tagRecord } from '../domain/tag.js';
import { TagsQueries } from '../infrastructure/tags.queries.js';
import { TagsRepository } from '../infrastructure/tags.repository.js';
import { type AssignmentTags, TagAssignment, tagName } from './tag-assignment.js';
import { refuseUnknowing, TagRefusals } from './tag-refusals.service.js';

/** The sent fields of a tag: absent stays, null clears. */
export type TagBody = Partial<TagFields> & { name?: string };

/** Throws PRECONDITION_FAILED when the tag's version is not the one in If-Match. */
export type TagPrecondition = (tag: Tag) => Promise<void>;

export interface TagEdit {
  body: TagBody;
  precondition: TagPrecondition;
}

/**
 * Writes to one person's tags. Every step is one unit of work and a row of the change log for each changed
 * tag; cached decisions that used the old vocabulary end with it. Nodes never change: they keep the tag's
 * id.
 */
@Injectable()
export class TagsService {
  constructor(
    private readonly tags: TagsRepository,
    private readonly queries: TagsQueries,
    private readonly units: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
    private readonly profiles: ExposureProfiles,
    private readonly refusals: TagRefusals,
  ) {}

  /** @throws TAG_ALREADY_EXISTS, VALIDATION_ERROR; NOT_FOUND for a parent that the caller may not know */
  async create(access: Access, { name, ...fields }: TagBody & { name: string }): Promise<Tag> {
    return this.units.run(async () => {
      await this.tags.lockAll(access.ownerId);
      const parent_tag_id = await this.parent(access, fields.parent_tag_id);
      const birth = { owner_id: access.ownerId, id: newId(), at: this.clock.now() };
      const tag = newTag(birth, tagName(name), { ...fields, parent_tag_id });
      refuseName(tag);
      refuseAlike(access, tag);
      await unlessTaken(this.tags.insert(tag));
      this.record(tag, 'created');
      return tag;
    });
  }

  /**
   * Replaces the sent fields, after restoring values that the caller is not shown (rules 3.17, 4.2).
   * @returns the current tag
   * @throws NOT_FOUND when it or the new parent no longer exists, TAG_ALREADY_EXISTS, VALIDATION_ERROR,
   * PRECONDITION_FAILED; PERMISSION_DENIED for another name by a caller from whom tags may be hidden, or of a
   * tag that rules or shares name
   */
  async update(access: Access, id: string, { body, precondition }: TagEdit): Promise<Tag> {
    return this.units.run(async () => {
      await this.tags.lockAll(access.ownerId);
      const tag = await this.locked(access.ownerId, id);
      await precondition(tag);
      const { fields: written, unseen, marks } = await unmaskWrite(access, tag, body);
      refuse([...marks, ...tagFieldErrors(written)]);
      const { name, ...fields } = written;
      if (name !== undefined) refuseUnknowing(access, tag, tagName(name));
      const parent_tag_id = await this.newParent(access, tag, fields.parent_tag_id);
      const given = { ...fields, parent_tag_id, ...(name === undefined ? {} : { name: tagName(name) }) };
      const at = this.clock.now();
      const step = changeTag(tag, given, { at, unseen });
      if (step === null) return tag;
      if ('name' in step.changed) {
        refuseName(step.tag);
        await this.refusals.refuseRenaming(access, tag, step.tag);
        refuseAlike(access, step.tag);
        await this.profiles.keepExcluding(tag.owner_id, tag.id);
      }
      await unlessTaken(this.tags.update([step.tag]));
      this.record(step.tag, 'updated', step.changed);
      return step.tag;
    });
  }

  /**
   * Marks the tag as deleted; its children become top-level tags, each as a change of its own.
   * @returns the number of living nodes with it that the caller can read
   * @throws NOT_FOUND, PRECONDITION_FAILED; PERMISSION_DENIED for a tag that hides something from the
   * caller or from others
   */
  async delete(access: Access, id: string, precondition: TagPrecondition): Promise<number> {
    return this.units.run(async () => {
      await this.tags.lockAll(access.ownerId);
      const tag = await this.locked(access.ownerId, id);
      await precondition(tag);
      await this.refusals.refuseDeleting(access, [tag]);
      const affected = access.exposure.shows('tags') ? await this.queries.countNodes(access, id) : 0;
      await this.deleteAll(access.ownerId, [tag]);
      return affected;
    });
  }

  /**
   * Deletes all of these tags that the caller may know, or none.
   * @returns the number of deleted tags, and the given ids that are not a tag for the caller, in their
   * order
   * @throws PERMISSION_DENIED when the caller knows one of them and may not delete it (rules 3.18, 4.15)
   */
  async deleteMany(
    access: Access,
    given: readonly string[],
  ): Promise<{ deleted: number; notFound: string[] }> {
    return this.units.run(async () => {
      await this.tags.lockAll(access.ownerId);
      const ids = new Set(given.filter(isId).map((id) => id.toLowerCase()));
      const found = (await this.tags.lock(access.ownerId, [...ids])).filter(({ id }) =>
        mayDiscover(access, id),
      );
      if (!found.every(({ id }) => grants(access.tags.edit, id))) {
        throw new DomainError('PERMISSION_DENIED', 'You may not delete one of these tags');
      }
      await this.refusals.refuseDeleting(access, found);
      await this.deleteAll(access.ownerId, found);
      const known = new Set(found.map(({ id }) => id));
      const notFound = [...new Set(given)].filter((id) => !known.has(id.toLowerCase()));
      return { deleted: found.length, notFound };
    });
  }

  /**
   * An assignment for the writes of one unit of work, which share the tags that they create; see
   * {@link TagAssignment}.
   */
  assignment(access: Access): TagAssignment {
    const made = (tag: Tag) => this.record(tag, 'created');
    return new TagAssignment(access, { tags: this.tags, clock: this.clock, made });
  }

  /**
   * An assignment that creates tags in memory alone. Needs no unit of work.
   * @param made the tags that earlier ones have created; it adds its own
   */
  trialAssignment(access: Access, made: Tag[]): TagAssignment {
    const tags: AssignmentTags = {
      findNamed: async (ownerId, keys, ids) => [
        ...(await this.tags.findNamed(ownerId, keys, ids)),
        ...made.filter(({ id, name_key }) => keys.includes(name_key) || ids.includes(id)),
      ],
      lockAll: () => Promise.resolve(),
      insertNew: (wanted) => Promise.resolve(new Set(wanted.map(({ id }) => id))),
    };
    return new TagAssignment(access, { tags, clock: this.clock, made: (tag) => void made.push(tag) });
  }

  /**
   * Takes the lock of tag creation ahead: a unit of work that locks nodes and may create tags after that
   * takes this first, so that all units take their locks in one order.
   */
  lock(ownerId: string): Promise<void> {
    return this.tags.lockAll(ownerId);
  }

  /** The living tags among these. */
  async living(ownerId: string, ids: readonly string[]): Promise<Set<string>> {
    return new Set((await this.tags.findNamed(ownerId, [], ids)).map(({ id }) => id));
  }

  private async locked(ownerId: string, id: string): Promise<Tag> {
    const [tag] = await this.tags.lock(ownerId, [id]);
    if (tag === undefined) throw tagNotFound();
    return tag;
  }

  /**
   * The id of a parent, which must be a living tag that the caller may know; unknown, foreign and hidden
   * ones answer alike.
   */
  private async parent(access: Access, given: string | null | undefined): Promise<string | null> {
    if (given === null || given === undefined) return null;
    const id = given.toLowerCase();
    const visible = isId(id) && mayDiscover(access, id);
    if (!visible || (await this.tags.find(access.ownerId, id)) === null) throw tagNotFound(['parent_tag_id']);
    return id;
  }

  /**
   * The new parent; undefined when it stays. A hidden parent that is named is refused like an absent tag,
   * even if it is the current one.
   */
  private async newParent(
    access: Access,
    tag: Tag,
    given: string | null | undefined,
  ): Promise<string | null | undefined> {
    if (given === undefined) return undefined;
    const parentId = await this.parent(access, given);
    if (parentId !== null && (await this.tags.isSameOrAbove(tag.owner_id, tag.id, parentId))) {
      throw DomainError.validation('parent_tag_id', 'must not be the tag itself or one below it');
    }
    return parentId;
  }

  private async deleteAll(ownerId: string, tags: readonly Tag[]): Promise<void> {
    const now = this.clock.now();
    const gone = tags.map((tag) => deletedTag(tag, now));
    await this.tags.update(gone);
    for (const tag of gone) this.record(tag, 'deleted');
    const children = await this.tags.lockChildren(
      ownerId,
      gone.map(({ id }) => id),
    );
    const steps = children.flatMap((child) => changeTag(child, { parent_tag_id: null }, { at: now }) ?? []);
    await this.tags.update(steps.map(({ tag }) => tag));
    for (const { tag, changed } of steps) this.record(tag, 'updated', changed);
  }

  private record(
    tag: Tag,
    action: 'created' | 'updated' | 'deleted',
    changedFields: ChangedFields | null = null,
  ): void {
    const { owner_id: ownerId, id: entityId, version } = tag;
    const snapshot = { ...tagRecord(tag), version };
    this.changes.append({ ownerId, entity: 'tag', entityId, action, version, changedFields, snapshot });
    this.changes.bumpPolicyVersion(ownerId);
  }
}

/** The change of a tag that the caller intends, without values written back as they are shown (rule 3.17). */
async function unmaskWrite(
  access: Access,
  tag: Tag,
  body: TagBody,
): Promise<{ fields: TagBody; unseen: readonly string[]; marks: FieldError[] }> {
  const slices = slicesOfShowing();
  const shown = await shownTag(access, tag, slices);
  const others = Object.entries(body).filter(([field, value]) => !isSame(value, shown[field]));
  const written = Object.fromEntries(others) as TagBody;
  const stored = { ...tagRecord(tag) };
  const meant = await slices.run(unmaskFields(access.exposure, { written, shown, stored }));
  const { description, category } = written;
  const marked = { written: { description, category }, shown };
  return { ...meant, marks: await slices.run(markErrors(access, marked, 'value')) };
}

function refuseName({ name }: Tag): void {
  const fault = nameFault(name);
  if (fault !== null) throw DomainError.validation('name', fault);
}

/**
 * Refuses a name that looks like another tag's: readers would confuse the two, and a rule for one would not
 * hide the other. Callers who may name tags know all tags (rule 3.7). An equal key is refused by the
 * database.
 */
function refuseAlike({ vocabulary }: Access, { id, name, name_key }: Tag): void {
  const isOther = (tag: KnownTag): boolean =>
    !tag.deleted && tag.id !== id && tagNameKey(tag.name) !== name_key;
  if (vocabulary.named(name).some(isOther)) throw nameTaken();
}

const nameTaken = (): DomainError =>
  new DomainError('TAG_ALREADY_EXISTS', 'A tag with this name already exists');

async function unlessTaken(write: Promise<void>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isUniqueViolation(error, 'tags_name')) throw error;
    throw nameTaken();
  }
}
