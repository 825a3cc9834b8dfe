import { type ChangedFields } from '../../../kernel/change-log/changed-fields.js';
import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../../../kernel/change-log/change-log.js';
import { Clock } from '../../../kernel/clock.js';
import { isId } from '../../../kernel/ids.js';
import { type Access, TagVocabulary } from '../../../privacy/index.js';
import { resolveTag } from '../../common/index.js';
import {
  changeOf,
  NOBODY,
  Node,
  type NodeBody,
  type NodeRevision,
  NodeSchemas,
  NodesRepository,
  NodesService,
  type SchemaChecks,
  type Written,
} from '../../nodes/index.js';
import {
  changeOfEdge,
  changeRelationship,
  EdgeMoves,
  type EdgeWithEnds,
  type Ends,
  MOST_MOVED_EDGES,
  type MovableEdge,
  type NewRelationshipBody,
  type Relationship,
  type RelationshipBody,
  type RelationshipEdit,
  RelationshipsQueries,
  RelationshipsRepository,
  RelationshipsService,
  restoredRelationship,
} from '../../relationships/index.js';
import { SchemasQueries } from '../../schemas/index.js';
import { TagsService } from '../../tags/index.js';
import { decidedMerge, editOf, type Merge, type NodeChange, type Part } from './edit-decisions.js';
import { TrialEdits } from './trial-edits.js';

/** An id before all others. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Writes in the owner's name that another caller has prepared and the owner has approved: by the same rules
 * and into the same change log as any other write. All need an open unit of work and the owner's own
 * access. Locks are taken in one order: tags, where some are assigned, created or deleted, then nodes, then relationships.
 */
@Injectable()
export class OwnerEdits {
  constructor(
    private readonly nodes: NodesRepository,
    private readonly service: NodesService,
    private readonly schemas: NodeSchemas,
    private readonly schemaQueries: SchemasQueries,
    private readonly tags: TagsService,
    private readonly edges: RelationshipsRepository,
    private readonly edgeQueries: RelationshipsQueries,
    private readonly relationships: RelationshipsService,
    private readonly moves: EdgeMoves,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
  ) {}

  unit<T>(access: Access, work: (checks: SchemaChecks) => Promise<T>): Promise<T> {
    return this.schemas.unit(access, work);
  }

  /** The checks of writes that are judged ahead of their unit of work. */
  checks(access: Access): SchemaChecks {
    return this.schemas.checks(access);
  }

  /** Locks the owner's tags, for a unit of work that will create or delete some; before all nodes. */
  lockTags({ ownerId }: Access): Promise<void> {
    return this.tags.lock(ownerId);
  }

  /**
   * Locks the owner's tags, before all nodes, for a unit of work that assigns these by name or id: none is deleted until it
   * ends.
   * @returns the access that knows those as deleted which have been deleted since it was made
   */
  async lockAssigned(access: Access, tags: readonly string[]): Promise<Access> {
    if (tags.length === 0) return access;
    await this.lockTags(access);
    const named = [...new Set(tags.flatMap((tag) => resolveTag(access, tag) ?? []))];
    const living = await this.tags.living(access.ownerId, named);
    const gone = new Set(named.filter((id) => !living.has(id)));
    if (gone.size === 0) return access;
    const known = Array.from(access.vocabulary.all(), (tag) =>
      gone.has(tag.id) ? { ...tag, deleted: true } : tag,
    );
    return { ...access, vocabulary: new TagVocabulary(known) };
  }

  /**
   * Edits that are decided like these and never written.
   * @param reader see {@link TrialEdits}
   */
  trial(access: Access, reader: Access): TrialEdits {
    requireOwner(access);
    const { nodes, service, tags, edges, edgeQueries, clock } = this;
    return new TrialEdits(access, reader, { nodes, service, tags, edges, edgeQueries, clock });
  }

  /**
   * Locks all nodes that will be written, at once and ahead; deleted nodes too. Malformed ids count as
   * absent.
   */
  async lock(access: Access, nodeIds: readonly string[]): Promise<Map<string, Node>> {
    const { ownerId } = access;
    requireOwner(access);
    return this.nodes.lock(ownerId, [...new Set(nodeIds.filter(isId).map((id) => id.toLowerCase()))]);
  }

  /**
   * The current nodes by id in lower case, without a permission check and without a lock; deleted ones too.
   */
  async look(access: Access, ids: readonly string[]): Promise<Map<string, Node>> {
    const wanted = [...new Set(ids.filter(isId).map((id) => id.toLowerCase()))];
    return wanted.length === 0 ? new Map() : this.nodes.list(access.ownerId, wanted);
  }

  /**
   * Refuses a schema that this caller, who prepares a write for the owner, could not give to a node; null
   * stands for `__freeform__`. A schema that only the owner can see must be refused, or the outcome would
   * reveal it.
   * @throws SCHEMA_NOT_FOUND, PERMISSION_DENIED
   */
  refuseSchema(access: Access, schemaId: string | null): Promise<void> {
    return this.schemas.checks(access).refuse(schemaId);
  }

  /**
   * Refuses a change that this caller, who prepares a write for the owner, could not make: judged by their
   * own words and by what they are shown of the node. The metadata is a merge patch.
   * @param written the body without masks
   * @throws SCHEMA_NOT_FOUND, SCHEMA_VALIDATION_FAILED, INVALID_NODE_TYPE, VALIDATION_ERROR
   */
  refuse(access: Access, node: Node, edit: Part<{ body: NodeBody; written: Written }>): Promise<void> {
    return this.service.refuse(access, node, { ...edit, merge: 'metadata' });
  }

  /** Names of the schemas that the caller can see, by id. */
  schemaNames(access: Access, ids: readonly string[]): Promise<Map<string, string>> {
    const wanted = [...new Set(ids.filter(isId).map((id) => id.toLowerCase()))];
    return this.schemaQueries.names(access, wanted);
  }

  /** @returns the node, and the ids of tags that were created for it */
  async create(
    access: Access,
    { body, checks }: Part<{ body: NodeBody }>,
  ): Promise<{ node: Node; tagIds: readonly string[] }> {
    const assignment = this.tags.assignment(access);
    const names = body.tags ?? [];
    const tags = names.length === 0 ? [] : await assignment.resolve('create', names);
    const node = await this.service.create(access, { ...body, tags }, checks);
    return { node, tagIds: assignment.created };
  }

  /** Changes a locked node. */
  async change(
    access: Access,
    node: Node,
    change: Part<NodeChange>,
  ): Promise<{ node: Node; tagIds: readonly string[] }> {
    const assignment = this.tags.assignment(access);
    const edit = await editOf(node, change, assignment);
    const decision = await this.service.decideEdit(access, node, edit);
    if (decision === null) return { node, tagIds: assignment.created };
    const { revision, attribution } = decision;
    if (!(await this.nodes.update(revision.node))) throw new Error('a node that is changed must be locked');
    this.changes.append(changeOf(node, revision, attribution));
    return { node: revision.node, tagIds: assignment.created };
  }

  /**
   * Undoes a change. Tags are ids, stored in the given order.
   * @param takesBack the version that the change made
   */
  putBack(
    access: Access,
    node: Node,
    back: Part<{ body: NodeBody; tagIds: readonly string[] | undefined; takesBack: number }>,
  ): Promise<Node> {
    return this.service.update(access, node, back);
  }

  delete(access: Access, node: Node): Promise<void> {
    return this.service.delete(access, node);
  }

  restore(access: Access, node: Node): Promise<Node> {
    return this.service.restore(access, node);
  }

  /**
   * Merges several locked nodes into one: tags and edges move to the target, edges that would be loops or
   * duplicates are deleted, the sources are deleted and point to the target. Files and embeddings stay with
   * the sources.
   * @returns the number of relationships at the sources
   * @throws VALIDATION_ERROR beyond the room
   */
  async merge(access: Access, { room, ...merge }: Part<Merge> & { room: number }): Promise<number> {
    const { target, sources } = merge;
    const sourceIds = sources.map(({ id }) => id);
    const edges = await this.moves.edgesAt(access, sourceIds, room);
    const { merged, gone } = await decidedMerge(this.service, access, { ...merge, at: this.clock.now() });
    await this.nodes.updateMany([merged.node, ...gone.map(({ step }) => step.node)]);
    this.record(target, merged);
    for (const { source, step } of gone) this.record(source, step);
    await this.moves.move(edges, target, new Set(sourceIds));
    return edges.length;
  }

  /** A living relationship of living nodes, without a permission check. */
  async findEdge(access: Access, id: string): Promise<EdgeWithEnds | null> {
    return isId(id) ? this.edgeQueries.find(access.ownerId, id.toLowerCase()) : null;
  }

  /**
   * Relationships at these nodes that the caller can read, without their texts; no more than the merges of a proposal may
   * move.
   */
  readableEdgesAt(access: Access, nodeIds: readonly string[]): Promise<MovableEdge[]> {
    return this.edgeQueries.movableAt(access, nodeIds, MOST_MOVED_EDGES);
  }

  /**
   * All relationships at these nodes, with the facts of both ends, in parts of limited size; those of deleted nodes, too.
   * No permission check.
   */
  async *edgesAt({ ownerId }: Access, nodeIds: readonly string[]): AsyncGenerator<EdgeWithEnds[]> {
    if (nodeIds.length === 0) return;
    for (let after = BEFORE_ALL; ;) {
      const part = await this.edgeQueries.nextAt(ownerId, nodeIds, after);
      const last = part.at(-1);
      if (last === undefined) return;
      yield part;
      after = last.edge.id;
    }
  }

  /** True if a living relationship is at the node. No permission check. */
  isConnected({ ownerId }: Access, nodeId: string): Promise<boolean> {
    return this.edges.isConnected(ownerId, nodeId);
  }

  /** Locks relationships, deleted ones too, without a permission check. */
  lockEdges(access: Access, ids: readonly string[]): Promise<Map<string, Relationship>> {
    return this.edges.lockMany(access.ownerId, ids);
  }

  /** @returns the ids of the created relationships: two when it is bidirectional */
  async connect(access: Access, body: NewRelationshipBody): Promise<string[]> {
    const { made, reverseId } = await this.relationships.create(access, body);
    return [made.edge.id, ...(reverseId === null ? [] : [reverseId])];
  }

  async changeEdge(
    access: Access,
    edge: EdgeWithEnds,
    change: Pick<RelationshipEdit, 'body' | 'unseen'>,
  ): Promise<void> {
    await this.relationships.update(access, edge, change);
  }

  /** Gives a locked relationship earlier fields and ends, also where its nodes are deleted. */
  async putEdgeBack(edge: Relationship, back: RelationshipBody & Partial<Ends>): Promise<void> {
    const step = changeRelationship(edge, back, { at: this.clock.now() });
    if (step !== null) await this.saveEdge(step.edge, 'updated', step.changed);
  }

  deleteEdge(access: Access, id: string): Promise<void> {
    return this.relationships.delete(access, id);
  }

  async restoreEdge(edge: Relationship): Promise<void> {
    await this.saveEdge(restoredRelationship(edge, this.clock.now()), 'restored');
  }

  /** The tags among these that a living node carries. */
  tagsInUse(access: Access, tagIds: readonly string[]): Promise<Set<string>> {
    return this.nodes.tagsInUse(access.ownerId, tagIds);
  }

  async deleteTags(access: Access, tagIds: readonly string[]): Promise<void> {
    await this.tags.deleteMany(access, tagIds);
  }

  private async saveEdge(
    edge: Relationship,
    action: 'updated' | 'deleted' | 'restored',
    changedFields: ChangedFields | null = null,
  ): Promise<void> {
    await this.edges.update(edge);
    this.changes.append(changeOfEdge(edge, action, changedFields));
  }

  private record(before: Node, step: NodeRevision): void {
    this.changes.append(changeOf(before, step, NOBODY));
  }
}

function requireOwner({ isOwner }: Access): void {
  if (!isOwner) throw new Error('an approved change is written in the name of the owner');
}
