import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../../kernel/changes/change-log.js';
import { Clock } from '../../kernel/clock.js';
import { isId } from '../../kernel/ids.js';
import { type Access } from '../../privacy/index.js';
import { type ChangedFields, Node, type NodeRevision, sameMembers } from '../domain/node.js';
import { mergedEdges } from '../domain/merged-edges.js';
import { type EdgeWithEnds } from '../domain/relationship-view.js';
import {
  deletedRelationship,
  type Ends,
  moveRelationship,
  type Relationship,
  restoredRelationship,
} from '../domain/relationship.js';
import { NodesRepository } from '../infrastructure/nodes.repository.js';
import { RelationshipsQueries } from '../infrastructure/relationships.queries.js';
import { RelationshipsRepository } from '../infrastructure/relationships.repository.js';
import { SchemasQueries } from '../infrastructure/schemas.queries.js';
import { NodeSchemas, type SchemaChecks } from './node-schemas.js';
import { changeOf, type NodeBody, NOBODY } from './node-writes.js';
import { type Judging, NodesService } from './nodes.service.js';
import {
  type NewRelationshipBody,
  type RelationshipEdit,
  RelationshipsService,
} from './relationships.service.js';
import { changeOfEdge } from './relationship-writes.js';
import { TagsService } from './tags.service.js';

/** Tags that a node gets, by name or id, and loses, by id. All others stay, those of deleted tags too. */
export interface TagChange {
  added: readonly string[];
  removed: readonly string[];
}

/** A write that is one of many: their checks, and what it changes. */
type Part<T> = T & { checks: SchemaChecks; judging?: Judging | undefined };

/**
 * Writes in the owner's name that somebody else has prepared and the owner has approved: by the same rules and into
 * the same change log as any other write. All need an open unit of work and the owner's own access. Locks are taken
 * in one order: tags, nodes, relationships.
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
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
  ) {}

  unit<T>(access: Access, work: (checks: SchemaChecks) => Promise<T>): Promise<T> {
    return this.schemas.unit(access, work);
  }

  /** Everything that is going to be touched, once and ahead; deleted nodes too. Malformed ids are absent. */
  async lock(access: Access, nodeIds: readonly string[]): Promise<Map<string, Node>> {
    const { ownerId } = access;
    requireOwner(access);
    await this.tags.lock(ownerId);
    return this.nodes.lock(ownerId, [...new Set(nodeIds.filter(isId).map((id) => id.toLowerCase()))]);
  }

  /** As they are now, whoever asks, by id in lower case; deleted ones too. Nobody is kept from changing them. */
  async look(access: Access, ids: readonly string[]): Promise<Map<string, Node>> {
    const wanted = [...new Set(ids.filter(isId).map((id) => id.toLowerCase()))];
    return wanted.length === 0 ? new Map() : this.nodes.list(access.ownerId, wanted);
  }

  /**
   * Whether this caller, who prepares a write of the owner's, could give a node this schema himself; null stands for
   * `__freeform__`. What only the owner can see must not be named for him, or the outcome would tell of it.
   * @throws SCHEMA_NOT_FOUND, PERMISSION_DENIED
   */
  refuseSchema(access: Access, schemaId: string | null): Promise<void> {
    return this.schemas.checks(access).refuse(schemaId);
  }

  /**
   * Whether this caller, who prepares a write of the owner's, could change the node so themselves: judged by their own
   * words and by what they are shown of it. The metadata is a merge patch.
   * @throws SCHEMA_NOT_FOUND, SCHEMA_VALIDATION_FAILED, INVALID_NODE_TYPE, VALIDATION_ERROR
   */
  refuse(access: Access, node: Node, { body, checks }: Part<{ body: NodeBody }>): Promise<void> {
    return this.service.refuse(access, node, { body, merge: 'metadata', checks });
  }

  /** Names of schemas by id, of those that the caller can see. */
  async schemaNames(access: Access, ids: readonly string[]): Promise<Map<string, string>> {
    const wanted = [...new Set(ids.filter(isId).map((id) => id.toLowerCase()))];
    if (wanted.length === 0) return new Map();
    const listing = { filter: { ids: wanted }, limit: wanted.length, offset: 0 };
    const { schemas } = await this.schemaQueries.list(access, listing);
    return new Map(schemas.map(({ id, name }) => [id, name]));
  }

  /** @returns the node, and the ids of tags that were made for it */
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

  /**
   * Whether the last tag may go was judged by the tags that the app knew; here it would tell of those that it did not.
   */
  async change(
    access: Access,
    node: Node,
    {
      body,
      tags,
      checks,
      ...how
    }: Part<{ body: NodeBody; tags: TagChange; unseen?: readonly string[] | undefined }>,
  ): Promise<{ node: Node; tagIds: readonly string[] }> {
    const assignment = this.tags.assignment(access);
    const added = tags.added.length === 0 ? [] : await assignment.resolve('edit', tags.added);
    const kept = node.tagIds.filter((id) => !tags.removed.includes(id) || added.includes(id));
    const tagIds = [...new Set([...kept, ...added])];
    const edit = { body, tagIds: sameMembers(tagIds, node.tagIds) ? undefined : tagIds, checks, ...how };
    return { node: await this.service.update(access, node, edit), tagIds: assignment.created };
  }

  /**
   * Undoes what a change has written. Tags by id exactly as given, in that order.
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
   * One node out of several, all locked: tags and edges move to the target, edges that would be loops or doubles are
   * deleted, the sources are deleted and say where they went. Files and embeddings stay with the sources.
   * @param chosen fields of the target that take another node's value
   */
  async merge(
    access: Access,
    {
      target,
      sources,
      chosen,
      checks,
      judging,
    }: Part<{ target: Node; sources: readonly Node[]; chosen: NodeBody }>,
  ): Promise<Node> {
    const tagIds = [...new Set([target, ...sources].flatMap((node) => node.tagIds))];
    const tags = sameMembers(tagIds, target.tagIds) ? undefined : tagIds;
    const edit = { body: chosen, tagIds: tags, checks, judging };
    const decision = await this.service.edited(access, target, edit);
    const at = this.clock.now();
    const merged = target.absorb(sources, decision?.revision ?? null, at);
    const gone = sources.map((source) => ({ source, step: source.mergeInto(target.id, at) }));
    await this.nodes.updateMany([merged.node, ...gone.map(({ step }) => step.node)]);
    this.record(target, merged);
    for (const { source, step } of gone) this.record(source, step);
    await this.moveEdges(access.ownerId, target.id, new Set(sources.map(({ id }) => id)));
    return merged.node;
  }

  /** A living relationship of living nodes, whoever asks. */
  async findEdge(access: Access, id: string): Promise<EdgeWithEnds | null> {
    return isId(id) ? this.edgeQueries.find(access.ownerId, id.toLowerCase()) : null;
  }

  /** Living ones at these nodes, whether their nodes live or not, whoever asks. */
  edgesAt(access: Access, nodeIds: readonly string[]): Promise<Relationship[]> {
    return this.edges.listAt(access.ownerId, nodeIds);
  }

  /** Deleted ones too, likewise. */
  lockEdges(access: Access, ids: readonly string[]): Promise<Map<string, Relationship>> {
    return this.edges.lockMany(access.ownerId, ids);
  }

  /** @returns the ids of what was made: two when it is bidirectional */
  async connect(access: Access, body: NewRelationshipBody): Promise<string[]> {
    const { made, reverseId } = await this.relationships.create(access, body);
    return [made.edge.id, ...(reverseId === null ? [] : [reverseId])];
  }

  async changeEdge(
    access: Access,
    edge: EdgeWithEnds,
    change: Pick<RelationshipEdit, 'body' | 'unseen'>,
  ): Promise<void> {
    await this.relationships.update(access, edge, { ...change, precondition: () => undefined });
  }

  deleteEdge(access: Access, id: string): Promise<void> {
    return this.relationships.delete(access, id, () => undefined);
  }

  /** A locked edge between these nodes from now on. */
  async moveEdge(edge: Relationship, ends: Ends): Promise<Relationship> {
    const step = moveRelationship(edge, ends, this.clock.now());
    await this.saveEdge(step.edge, 'updated', step.changed);
    return step.edge;
  }

  async restoreEdge(edge: Relationship): Promise<void> {
    await this.saveEdge(restoredRelationship(edge, this.clock.now()), 'restored');
  }

  /** Which of these tags a living node carries. */
  tagsInUse(access: Access, tagIds: readonly string[]): Promise<Set<string>> {
    return this.nodes.tagsInUse(access.ownerId, tagIds);
  }

  async deleteTags(access: Access, tagIds: readonly string[]): Promise<void> {
    await this.tags.deleteMany(access, tagIds);
  }

  private async moveEdges(ownerId: string, targetId: string, sources: ReadonlySet<string>): Promise<void> {
    const edges = await this.edges.lockAt(ownerId, [targetId, ...sources]);
    for (const { edge, ends } of mergedEdges(edges, targetId, sources)) {
      if (ends === null) await this.saveEdge(deletedRelationship(edge, this.clock.now()), 'deleted');
      else await this.moveEdge(edge, ends);
    }
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
