import { type ChangedFields } from '../../../kernel/change-log/changed-fields.js';
import { laterTime } from '../../../kernel/later-time.js';
import { isSame } from '../../../kernel/json/json-values.js';
import { type NodeFacts } from '../../../privacy/index.js';
import {
  type NodeFields,
  type NodeRecord,
  type NodeSnapshot,
  type TagLink,
  writtenFields,
} from '../../common/index.js';
import { refuseOtherTypes, refuseTooManyTags, refuseType, refuseViolations, SHAPING } from './node-rules.js';

type NodeAction = 'created' | 'updated' | 'deleted' | 'restored' | 'tag_added' | 'tag_removed' | 'merged';

/** A step from one version to the next, as the change log records it. */
export interface NodeRevision {
  readonly node: Node;
  readonly action: NodeAction;
  /** The changes by wire name; tags appear as `tag_ids`. Null for a step that is not about fields. */
  readonly changedFields: ChangedFields | null;
}

/** A new node's fields; an absent one gets its default. */
export type NodeDraft = Pick<NodeFields, 'title' | 'node_type'> &
  Partial<NodeFields> & {
    /** The version of the schema that the metadata was validated against. */
    schema_version?: number | null;
  };

/** The results of the checks before a change. */
export interface JudgedSchema {
  /** The version that new metadata, or metadata under a new schema, was validated against; null: none. */
  schemaVersion?: number | null | undefined;
  /**
   * True if the writer is not shown all of the metadata: they must not learn if the whole has the shape of
   * its type.
   */
  isBlind?: boolean;
}

export interface NewNodeIdentity {
  ownerId: string;
  id: string;
  createdAt: Date;
  /** Later than createdAt only for imported nodes. */
  updatedAt?: Date;
}

/**
 * One node at one version; immutable. A change gives the next version, or null when it would change nothing
 * (rule 4.2). Types and sizes of single fields are checked before (node-fields.ts); rules between fields
 * are in node-rules.ts.
 */
export class Node {
  private constructor(readonly record: Readonly<NodeRecord>) {}

  /** A stored node, which is trusted. */
  static of(record: NodeRecord): Node {
    return new Node(record);
  }

  /** @throws INVALID_NODE_TYPE, VALIDATION_ERROR */
  static create(draft: NodeDraft, { ownerId, id, createdAt, updatedAt }: NewNodeIdentity): Node {
    const record: NodeRecord = {
      owner_id: ownerId,
      id,
      ...writtenFields(draft),
      schema_version: draft.schema_version ?? null,
      tag_ids: draft.tag_ids ?? [],
      tag_links: {},
      version: 1,
      created_at: createdAt,
      updated_at: updatedAt ?? createdAt,
      deleted_at: null,
      merged_into: null,
    };
    refuseTooManyTags(record.tag_ids.length);
    refuseType(record.node_type);
    refuseViolations(record);
    return new Node(record);
  }

  /**
   * Makes the checks of create() on the fields without their tags: a refused item must not leave behind
   * tags that were created for it.
   * @throws INVALID_NODE_TYPE, VALIDATION_ERROR
   */
  static refuseViolations(draft: NodeDraft): void {
    refuseType(draft.node_type);
    refuseViolations(draft);
  }

  get id(): string {
    return this.record.id;
  }

  get ownerId(): string {
    return this.record.owner_id;
  }

  get version(): number {
    return this.record.version;
  }

  get tagIds(): readonly string[] {
    return this.record.tag_ids;
  }

  get isDeleted(): boolean {
    return this.record.deleted_at !== null;
  }

  get facts(): NodeFacts {
    const { id, tag_ids, schema_id, node_type, created_at } = this.record;
    return { id, tagIds: tag_ids, schemaId: schema_id, nodeType: node_type, createdAt: created_at };
  }

  /**
   * Replaces the sent fields. A new order of tags is no change. The shape is required only where the change
   * could break it: violations left by a blind writer are reported to the next writer who is shown and
   * changes them, and to no one else.
   * @throws INVALID_NODE_TYPE, VALIDATION_ERROR
   */
  change(
    fields: Partial<NodeFields>,
    at: Date,
    { schemaVersion = null, isBlind = false }: JudgedSchema = {},
  ): NodeRevision | null {
    const changedFields = difference(this.record, fields);
    if (Object.keys(changedFields).length === 0) return null;
    const record: NodeRecord = { ...this.record };
    for (const [field, { new: value }] of Object.entries(changedFields))
      Object.assign(record, { [field]: value });
    if ('schema_id' in changedFields || 'metadata' in changedFields) record.schema_version = schemaVersion;
    if ('tag_ids' in changedFields) record.tag_links = linksAfter(this.record, record.tag_ids, at);
    if ('node_type' in changedFields) refuseType(record.node_type);
    refuseOtherTypes(record);
    if (!isBlind && SHAPING.some((field) => field in changedFields)) refuseViolations(record);
    return { node: this.next(record, at), action: actionOf(changedFields), changedFields };
  }

  /** Links a tag; null when the node already carries it: the link stays unchanged (rule 4.5). */
  addTag(tagId: string, link: TagLink, at: Date): NodeRevision | null {
    if (this.tagIds.includes(tagId)) return null;
    const tagIds = [...this.tagIds, tagId];
    const record = {
      ...this.record,
      tag_ids: tagIds,
      tag_links: { ...this.record.tag_links, [tagId]: link },
    };
    return { node: this.next(record, at), action: 'tag_added', changedFields: this.retagged(tagIds) };
  }

  /**
   * Removes a tag; removing a deleted one changes nothing else. Removing the last living tag deletes the
   * node, which keeps that tag: a restored node is masked and hidden as it was (rule 4.5c).
   * @param isLiving deleted tags do not keep a node alive
   */
  removeTag(tagId: string, isLiving: (tagId: string) => boolean, at: Date): NodeRevision {
    const tagIds = this.tagIds.filter((id) => id !== tagId);
    if (isLiving(tagId) && !tagIds.some(isLiving)) return this.delete(at);
    const record = { ...this.record, tag_ids: tagIds, tag_links: linksAfter(this.record, tagIds, at) };
    return { node: this.next(record, at), action: 'tag_removed', changedFields: this.retagged(tagIds) };
  }

  /**
   * A step whose change also names these fields if it leaves them unchanged; it is a version of its own
   * even without changes, for a write whose writer must not learn what it changed (rule 3.16). A null
   * step is accepted.
   */
  naming(fields: readonly string[], step: NodeRevision | null, at: Date): NodeRevision | null {
    if (fields.length === 0) return step;
    const { node, action, changedFields } = step ?? {
      node: this.next(this.record, at),
      action: 'updated' as const,
      changedFields: {},
    };
    const record = this.record as unknown as Readonly<Record<string, unknown>>;
    const named = fields
      .filter((field) => Object.hasOwn(record, field))
      .map((field) => [field, { old: record[field], new: record[field] }] as const);
    const names = { ...Object.fromEntries(named), ...changedFields };
    return { node, action: isOfTags(action) ? actionOf(names) : action, changedFields: names };
  }

  delete(at: Date): NodeRevision {
    const node = this.next({ ...this.record, deleted_at: at }, at);
    return { node, action: 'deleted', changedFields: null };
  }

  /** Deletes the node as merged into another one: its last version. */
  mergeInto(targetId: string, at: Date): NodeRevision {
    const node = this.next({ ...this.record, deleted_at: at, merged_into: targetId }, at);
    return { node, action: 'deleted', changedFields: null };
  }

  /**
   * This node with the others merged into it: the fields of the step, and the tag links that the others
   * had. Always a version of its own.
   * @param step the change of this node, tags included; null when nothing changes
   */
  absorb(others: readonly Node[], step: NodeRevision | null, at: Date): NodeRevision {
    const { record } = step?.node ?? this.next(this.record, at);
    const links = { ...record.tag_links };
    for (const id of record.tag_ids.filter((id) => !this.tagIds.includes(id))) {
      const from = others.find(({ tagIds }) => tagIds.includes(id));
      if (from) links[id] = from.linkOf(id);
    }
    const node = new Node({ ...record, tag_links: links });
    return { node, action: 'merged', changedFields: step?.changedFields ?? {} };
  }

  /** Restores the node; null when it is not deleted. */
  restore(at: Date): NodeRevision | null {
    if (!this.isDeleted) return null;
    const node = this.next({ ...this.record, deleted_at: null, merged_into: null }, at);
    return { node, action: 'restored', changedFields: null };
  }

  /** The link of a tag that the node carries. */
  linkOf(tagId: string): TagLink {
    const made = this.record.created_at.toISOString();
    return (
      this.record.tag_links[tagId] ?? { relevance_score: null, is_auto_generated: false, created_at: made }
    );
  }

  snapshot(): NodeSnapshot {
    const { record } = this;
    return {
      id: record.id,
      ...writtenFields(record),
      schema_version: record.schema_version,
      tag_ids: record.tag_ids,
      owner_id: record.owner_id,
      version: record.version,
      created_at: record.created_at.toISOString(),
      updated_at: record.updated_at.toISOString(),
      ...(record.deleted_at === null ? {} : { deleted_at: record.deleted_at.toISOString() }),
      ...(record.merged_into === null ? {} : { merged_into: record.merged_into }),
    };
  }

  private next(record: NodeRecord, at: Date): Node {
    return new Node({
      ...record,
      version: this.record.version + 1,
      updated_at: laterTime(record.updated_at, at),
    });
  }

  private retagged(tagIds: readonly string[]): ChangedFields {
    return { tag_ids: { old: this.record.tag_ids, new: tagIds } };
  }
}

function difference(record: NodeRecord, fields: Partial<NodeFields>): ChangedFields {
  const changed: ChangedFields = {};
  for (const [field, value] of Object.entries(fields) as [keyof NodeFields, unknown][]) {
    const old = record[field];
    const same = field === 'tag_ids' ? sameMembers(old as string[], value as string[]) : isSame(old, value);
    if (value !== undefined && !same) changed[field] = { old, new: value };
  }
  return changed;
}

export const sameMembers = (a: readonly string[], b: readonly string[] | undefined): boolean =>
  b === undefined || (a.length === b.length && a.every((id) => b.includes(id)));

const isOfTags = (action: NodeAction): boolean => action === 'tag_added' || action === 'tag_removed';

/** The action of a change. A change of nothing but tags is named after its direction (rule 4.6). */
function actionOf(changed: ChangedFields): NodeAction {
  const tags = changed['tag_ids'];
  if (tags === undefined || Object.keys(changed).length > 1) return 'updated';
  const [before, after] = [tags.old as string[], tags.new as string[]];
  if (before.every((id) => after.includes(id))) return 'tag_added';
  return after.every((id) => before.includes(id)) ? 'tag_removed' : 'updated';
}

/** The links of remaining tags, and new ones for added tags. */
function linksAfter(before: NodeRecord, tagIds: readonly string[], at: Date): Record<string, TagLink> {
  const links: Record<string, TagLink> = {};
  for (const id of tagIds) {
    const link = before.tag_links[id];
    if (link) links[id] = link;
    else if (!before.tag_ids.includes(id)) {
      links[id] = { relevance_score: null, is_auto_generated: false, created_at: at.toISOString() };
    }
  }
  return links;
}
