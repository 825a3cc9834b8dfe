import {
  discovers,
  grants,
  isLivingTag,
  isLastKnown,
  keepFacts,
  mayNameOnNode,
  type NodeFields,
  refuse,
  shownOf,
  type TagLink,
  tagNotFound,
  withDeletedTags,
} from '../../common/index.js';
import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../../../kernel/change-log/change-log.js';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { newId } from '../../../kernel/ids.js';
import { UnitOfWork } from '../../../kernel/change-log/unit-of-work.js';
import { type Access, RAW_FILE_SCHEMA_ID, sees } from '../../../privacy/index.js';
import { newNodeErrors, nodeSizeErrors, STORED_LIMITS } from '../domain/node-fields.js';
import { refuseTooManyTags } from '../domain/node-rules.js';
import { type JudgedSchema, Node, type NodeDraft } from '../domain/node.js';
import { OwnWords } from '../domain/own-words.js';
import { FileContentsQueries } from '../infrastructure/file-contents.queries.js';
import { PreparedWords } from '../infrastructure/prepared-words.js';
import { NodesRepository } from '../infrastructure/nodes.repository.js';
import { permitted, type NodeUse, refuseLoosening } from './node-permissions.js';
import { NodeSchemas, type SchemaChecks } from './node-schemas.js';
import { forbiddenTag, lastTagRemoval, NodeTagging } from './node-tagging.js';
import {
  attributionOf,
  changeOf,
  decided,
  type Decision,
  fieldsOf,
  firstRevision,
  type NodeBody,
} from './node-writes.js';
import { type TagAssignment } from '../../tags/index.js';
import { unmaskWrite, type Merging, type Written, writtenErrors } from './masked-writes.js';

/** A change of a node, with its precondition and its context. */
export interface NodeEdit {
  body: NodeBody;
  /** JSON merge patch instead of replacing (rule 4.2). */
  merge?: Merging;
  precondition?: Precondition;
  /** The ids of all its tags, already resolved and permitted; takes precedence over the body's tags. */
  tagIds?: readonly string[] | undefined;
  /** The version whose change this one undoes. */
  takesBack?: number | undefined;
  /** The checks of the write that contains this one. */
  checks?: SchemaChecks | undefined;
  /** The checks that still apply; all, if absent. */
  judging?: Judging | undefined;
  /**
   * Fields of the original writer that make a version even if they equal the stored values: see
   * {@link unmaskFields}.
   */
  unseen?: readonly string[] | undefined;
}

/** An edit, and its body without masks. */
type UnmaskedEdit = NodeEdit & { written: Written };

/**
 * The remaining checks for a change that is applied for a writer who is not shown the node as it is stored:
 * `bounds` checks sizes only. The writer's own words were judged before.
 */
export type Judging = 'bounds' | 'nothing';

/** Throws PRECONDITION_FAILED when the node's version is not the one in If-Match. */
export type Precondition = (node: Node) => Promise<void>;

/** A step to the next version, decided again if the node has changed meanwhile. */
interface Step {
  use: NodeUse;
  precondition: Precondition | undefined;
  /** True if the decision may create tags. */
  isTagging?: boolean;
  decide: (node: Node) => Promise<Decision | null> | Decision | null;
}

export interface NewLink {
  tag_id: string;
  relevance_score?: number | null;
  is_auto_generated?: boolean | null;
}

/**
 * Writes to one person's nodes. Every step is one unit of work and one row of the change log. Nodes passed
 * as arguments were located under the same access; after a lost race the step is decided again on the new
 * state.
 */
@Injectable()
export class NodesService {
  constructor(
    private readonly nodes: NodesRepository,
    private readonly tagging: NodeTagging,
    private readonly schemas: NodeSchemas,
    private readonly units: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
    private readonly files: FileContentsQueries,
    private readonly words: PreparedWords,
  ) {}

  /** @throws PERMISSION_DENIED, SCHEMA_NOT_FOUND, SCHEMA_VALIDATION_FAILED, INVALID_NODE_TYPE, VALIDATION_ERROR */
  async create(access: Access, body: NodeBody, checks = this.schemas.checks(access)): Promise<Node> {
    const draft = await this.checkNew(body, checks);
    const unit = async (): Promise<Node> => {
      const node = this.newNode(access, draft, await this.tagging.ofNew(access, body.tags ?? []));
      this.nodes.insert(node);
      this.changes.append(changeOf(null, firstRevision(node), attributionOf(body)));
      return node;
    };
    return this.words.during(access.ownerId, [draft.value], () => this.units.run(unit));
  }

  /**
   * A new node that is not saved.
   * @param tagIds its tags, already resolved and permitted
   * @throws like create
   */
  async draft(
    access: Access,
    { body, tagIds, checks }: { body: NodeBody; tagIds: readonly string[]; checks: SchemaChecks },
  ): Promise<Node> {
    return this.newNode(access, await this.checkNew(body, checks), tagIds);
  }

  private async checkNew(body: NodeBody, checks: SchemaChecks): Promise<NodeDraft> {
    refuse(newNodeErrors(body));
    const fields = fieldsOf(body) as NodeDraft;
    await checks.refuse(fields.schema_id ?? null);
    Node.refuseViolations(fields);
    return { ...fields, schema_version: await checks.ofNew(fields) };
  }

  private newNode({ ownerId }: Access, draft: NodeDraft, tag_ids: readonly string[]): Node {
    return Node.create({ ...draft, tag_ids }, { ownerId, id: newId(), createdAt: this.clock.now() });
  }

  /**
   * Replaces or merges the fields of the body.
   * @returns the current node; the same object when nothing changed
   * @throws PERMISSION_DENIED, PRECONDITION_FAILED, SCHEMA_NOT_FOUND, SCHEMA_VALIDATION_FAILED,
   * LAST_TAG_REMOVAL, INVALID_NODE_TYPE, VALIDATION_ERROR
   */
  async update(
    access: Access,
    located: Node,
    { precondition, checks = this.schemas.checks(access), ...edit }: NodeEdit,
  ): Promise<Node> {
    await precondition?.(located);
    // Validated before anything is locked; inside the unit of work the answers are known, unless the node
    // has changed.
    await this.checkEdit(access, located, { ...edit, checks });
    const step: Step = {
      use: 'edit',
      precondition,
      isTagging: edit.tagIds === undefined && edit.body.tags !== undefined,
      decide: (node) => this.decideEdit(access, node, { ...edit, checks }),
    };
    const taken = () => checks.retryAfterChecks(() => this.take(access, located, step));
    return (await this.words.during(access.ownerId, [edit.body.value], taken)).node;
  }

  /** The unsaved step of an edit for this node; null when it changes nothing. Needs a unit of work. */
  async decideEdit(
    access: Access,
    node: Node,
    edit: NodeEdit & { assignment?: TagAssignment },
  ): Promise<Decision | null> {
    // Checked without tags first: an item of a batch that fails must not leave behind tags that it would
    // have created.
    const { written, unseen, fields, judged } = await this.checkEdit(access, node, edit);
    const { assignment, tagIds, takesBack } = edit;
    const at = this.clock.now();
    const change = () => node.change(fields, at, judged);
    if (tagIds !== undefined)
      fields.tag_ids = withDeletedTags(access, { before: node.tagIds, written: tagIds });
    else if (written.tags !== undefined) {
      const names = written.tags ?? [];
      const nodeType = fields.node_type ?? node.record.node_type;
      const permit = (ids: readonly string[]) =>
        refuseLoosening(access, node.facts, { ...node.facts, nodeType, tagIds: ids });
      fields.tag_ids =
        (await this.tagging.rewritten(access, node, { names, assignment, permit })) ?? undefined;
    }
    const attribution = { ...attributionOf(written), takesBack };
    const revision = node.naming(edit.unseen ?? unseen, change(), at);
    return decided(access, node, { revision, attribution });
  }

  /**
   * Refuses an edit that callers could not write themselves, as far as they can know.
   * @param edit with its body without masks
   * @throws SCHEMA_NOT_FOUND, SCHEMA_VALIDATION_FAILED, INVALID_NODE_TYPE, VALIDATION_ERROR
   */
  async refuse(access: Access, node: Node, edit: UnmaskedEdit): Promise<void> {
    await this.checkUnmasked(access, node, edit);
  }

  /** An edit applied to a node, with everything checked except its tags. */
  private async checkEdit(access: Access, node: Node, edit: NodeEdit) {
    const { body, merge = false, checks = this.schemas.checks(access) } = edit;
    const written = await unmaskWrite(access, node, { body, merge, known: checks.unmasked });
    return this.checkUnmasked(access, node, { ...edit, checks, written });
  }

  /** The same for an edit whose masks are removed. */
  private async checkUnmasked(
    access: Access,
    node: Node,
    { body, merge = false, checks = this.schemas.checks(access), judging, ...edit }: UnmaskedEdit,
  ) {
    const { unseen, ...meant } = edit.written;
    const { body: written } = meant;
    if (judging === undefined) refuse(writtenErrors(meant));
    if (judging === 'bounds') refuse(nodeSizeErrors(written, STORED_LIMITS));
    const fields = await this.changeable(node, fieldsOf(written));
    if (fields.schema_id !== undefined && fields.schema_id !== node.record.schema_id) {
      await checks.refuse(fields.schema_id);
    }
    if (judging !== undefined) return { written, unseen, fields, judged: UNJUDGED };
    const own = access.exposure.touches('metadata')
      ? new OwnWords({
          sent: body.metadata,
          shown: shownOf(access, node.record)['metadata'],
          merge: merge !== false,
        })
      : null;
    // Checked before its schema, because the shape is known without waiting.
    if (own !== null) refuse(own.shapeErrors({ ...node.record, ...fields }));
    node.change(fields, this.clock.now(), { isBlind: own !== null });
    const schemaVersion = await checks.ofChange(node, { fields, own });
    return { written, unseen, fields, judged: { schemaVersion, isBlind: own !== null } };
  }

  /**
   * The fields that may change: a file's facts stay as the service recorded them, whatever the body
   * contains. The files table decides if the node is a file.
   */
  private async changeable(node: Node, fields: Partial<NodeFields>): Promise<Partial<NodeFields>> {
    if (node.record.schema_id !== RAW_FILE_SCHEMA_ID) return fields;
    const file = await this.files.find(node.ownerId, node.id);
    return file === null ? fields : keepFacts(node.record, fields);
  }

  async delete(access: Access, located: Node, precondition?: Precondition): Promise<void> {
    const decide = (node: Node) => decided(access, node, { revision: node.delete(this.clock.now()) });
    await this.take(access, located, { use: 'delete', precondition, decide });
  }

  /** Restores a node; one that is not deleted stays unchanged. */
  async restore(access: Access, located: Node, precondition?: Precondition): Promise<Node> {
    const decide = (node: Node) => decided(access, node, { revision: node.restore(this.clock.now()) });
    return (await this.take(access, located, { use: 'restore', precondition, decide })).node;
  }

  /**
   * Links a tag (rule 4.5).
   * @returns the node with the tag, and true if the link is new
   * @throws NOT_FOUND for a tag the caller may not know, PERMISSION_DENIED
   */
  async addTag(
    access: Access,
    located: Node,
    { given, precondition }: { given: NewLink; precondition?: Precondition },
  ): Promise<{ node: Node; isNew: boolean }> {
    const tagId = given.tag_id.toLowerCase();
    if (!discovers(access, tagId)) throw tagNotFound(['tag_id']);
    if (!grants(access.tags.edit, tagId)) throw forbiddenTag();
    const decide = (node: Node) => {
      const now = this.clock.now();
      // Tags that callers may not know do not count: the limit must not reveal that they exist.
      if (!node.tagIds.includes(tagId)) {
        refuseTooManyTags(node.tagIds.filter((id) => discovers(access, id)).length + 1);
      }
      return decided(access, node, { revision: node.addTag(tagId, linkOf(given, now), now) });
    };
    return this.take(access, located, { use: 'edit', precondition, decide });
  }

  /**
   * Removes a tag. Removing the last living tag deletes the node, and therefore needs the right to delete
   * it (rule 4.5).
   * @throws NOT_FOUND when the node does not carry it as far as the caller can know, PERMISSION_DENIED;
   * LAST_TAG_REMOVAL for the last tag known to a caller from whom other tags may be hidden, because those
   * decide if the node would be deleted
   */
  async removeTag(
    access: Access,
    located: Node,
    { tagId, precondition }: { tagId: string; precondition?: Precondition },
  ): Promise<{ nodeDeleted: boolean }> {
    const decide = (node: Node) => {
      if (!node.tagIds.includes(tagId) || !mayNameOnNode(access, tagId)) throw tagNotFound();
      if (!grants(access.tags.edit, tagId)) throw forbiddenTag();
      if (!access.tags.discover.allowAll && isLastKnown(access, node.tagIds, tagId)) throw lastTagRemoval();
      const revision = node.removeTag(tagId, isLivingTag(access), this.clock.now());
      if (revision.node.isDeleted && !sees(access.nodes.delete, node.facts)) {
        throw new DomainError(
          'PERMISSION_DENIED',
          'Removing the last tag deletes the node, which you may not',
        );
      }
      return decided(access, node, { revision });
    };
    const taken = await this.take(access, located, { use: 'edit', precondition, decide });
    return { nodeDeleted: taken.node.isDeleted };
  }

  /**
   * Takes a step and saves it if no other write was faster. A lost race is decided once more on the current
   * node, locked: the second try cannot lose, so no write is ever lost or given up. A caller who sent
   * If-Match then receives 412.
   */
  private async take(access: Access, located: Node, step: Step): Promise<{ node: Node; isNew: boolean }> {
    await step.precondition?.(located);
    // An UPDATE that found another version has locked the row, and tags are locked before nodes: the second
    // try needs a unit of its own. Inside an open unit that is impossible, so the node is locked first.
    if (this.units.isOpen) return this.takeLocked(access, located.id, step);
    try {
      return await this.units.run(() => this.save(located, step));
    } catch (error) {
      if (error !== LOST) throw error;
    }
    return this.units.run(() => this.takeLocked(access, located.id, step));
  }

  private async takeLocked(access: Access, id: string, step: Step): Promise<{ node: Node; isNew: boolean }> {
    if (step.isTagging === true) await this.tagging.lock(access.ownerId);
    const current = await this.nodes.lock(access.ownerId, [id]);
    const node = permitted(access, current.get(id) ?? null, step.use);
    await step.precondition?.(node);
    return this.save(node, step);
  }

  private async save(node: Node, { decide }: Step): Promise<{ node: Node; isNew: boolean }> {
    const decision = await decide(node);
    if (decision === null) return { node, isNew: false };
    const { revision, attribution } = decision;
    if (!(await this.nodes.update(revision.node))) throw LOST;
    this.changes.append(changeOf(node, revision, attribution));
    return { node: revision.node, isNew: true };
  }
}

const UNJUDGED: JudgedSchema = { schemaVersion: null, isBlind: true };

/** The node was saved by another write since it was read; the unit's work so far is rolled back. */
const LOST = new Error('the node has changed meanwhile');

const linkOf = ({ relevance_score, is_auto_generated }: NewLink, at: Date): TagLink => ({
  relevance_score: relevance_score ?? null,
  is_auto_generated: is_auto_generated ?? false,
  created_at: at.toISOString(),
});
