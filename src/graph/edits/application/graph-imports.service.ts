import { refuse, withDeletedTags } from '../../common/index.js';
import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../../../kernel/change-log/change-log.js';
import { Clock } from '../../../kernel/clock.js';
import { DomainError, isFaultOfPart } from '../../../kernel/errors/domain-error.js';
import { newId } from '../../../kernel/ids.js';
import { UnitOfWork } from '../../../kernel/change-log/unit-of-work.js';
import { type Access } from '../../../privacy/index.js';
import {
  changeOf,
  firstRevision,
  newNodeErrors,
  NOBODY,
  Node,
  type NodeDraft,
  NodeSchemas,
  NodesRepository,
  refuseTooManyTags,
  type SchemaChecks,
} from '../../nodes/index.js';
import {
  changeOfEdge,
  newRelationship,
  RelationshipsQueries,
  RelationshipsRepository,
} from '../../relationships/index.js';
import { type Edge, type MarkedNode, GraphImportsQueries } from '../infrastructure/graph-imports.queries.js';

/** A node with earlier dates of its own; its tags are ids of the owner's tags. */
export interface NodeArrival {
  draft: NodeDraft;
  /** Null: now. A date in the future is replaced by now. */
  createdAt: Date | null;
  updatedAt: Date | null;
}

export interface NodeMove {
  node: Node;
  step: NodeDraft;
}

export interface EdgeArrival {
  from_node_id: string;
  to_node_id: string;
  relationship_type: string;
  context: string | null;
}

/** Rows of one statement: its values are parameters, and PostgreSQL takes 65,535 of them. */
const ROWS = 1000;

/**
 * Writes of an importer in the owner's name: the same rules and the same change log as for any other write,
 * but many nodes in a few statements, and with dates in the past. Nothing here checks a permission, so an
 * importer may use it only for the owner.
 */
@Injectable()
export class GraphImports {
  constructor(
    private readonly nodes: NodesRepository,
    private readonly queries: GraphImportsQueries,
    private readonly relationships: RelationshipsQueries,
    private readonly edges: RelationshipsRepository,
    private readonly schemas: NodeSchemas,
    private readonly units: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
  ) {}

  unit<T>(access: Access, work: (checks: SchemaChecks) => Promise<T>): Promise<T> {
    return this.schemas.unit(access, work);
  }

  /** Nodes that this importer wrote, by their `metadata.source`; deleted ones too. */
  listMarked(access: Access, importer: string): Promise<MarkedNode[]> {
    return this.queries.listMarked(ownerOf(access), importer);
  }

  /** @returns the node or the error for each arrival; an error does not undo the others */
  create(access: Access, arrivals: readonly NodeArrival[]): Promise<(Node | DomainError)[]> {
    const ownerId = ownerOf(access);
    return this.units.run(async () => {
      const now = this.clock.now();
      const outcomes = arrivals.map((arrival) => attempt(() => born(ownerId, arrival, now)));
      const nodes = outcomes.filter((outcome) => outcome instanceof Node);
      this.nodes.insertMany(nodes);
      for (const node of nodes) this.changes.append(changeOf(null, firstRevision(node), NOBODY));
      return outcomes;
    });
  }

  /**
   * Writes the next versions of locked nodes, within a `unit`.
   * @returns the error of each, null for written ones
   */
  update(access: Access, moves: readonly NodeMove[], checks: SchemaChecks): Promise<(DomainError | null)[]> {
    ownerOf(access);
    return this.units.run(async () => {
      const now = this.clock.now();
      const moved: Node[] = [];
      const versions = await this.schemaVersions(checks, moves);
      const outcomes = moves.map(({ node, step }, index) => {
        const version = versions[index] ?? null;
        if (version instanceof DomainError) return version;
        const revision = attempt(() => moveTo(access, { node, step }, { now, version }));
        if (revision instanceof DomainError || revision === null) return revision;
        this.changes.append(changeOf(node, revision, NOBODY));
        moved.push(revision.node);
        return null;
      });
      await this.nodes.updateMany(moved);
      return outcomes;
    });
  }

  /** Creates edges between living nodes; an edge whose end has been deleted meanwhile is left out. */
  async createEdges(access: Access, arrivals: readonly EdgeArrival[]): Promise<void> {
    const owner_id = ownerOf(access);
    await this.units.run(async () => {
      const ends = arrivals.flatMap(({ from_node_id, to_node_id }) => [from_node_id, to_node_id]);
      const living = await this.relationships.facts(owner_id, [...new Set(ends)]);
      const at = this.clock.now();
      const edges = arrivals
        .filter(({ from_node_id, to_node_id }) => living.has(from_node_id) && living.has(to_node_id))
        .map(({ from_node_id, to_node_id, ...fields }) =>
          newRelationship({ owner_id, id: newId(), from_node_id, to_node_id, at }, fields),
        );
      for (let start = 0; start < edges.length; start += ROWS)
        await this.edges.insert(edges.slice(start, start + ROWS));
      for (const edge of edges) this.changes.append(changeOfEdge(edge, 'created'));
    });
  }

  /** The current nodes, locked until the unit of work ends. */
  lock(access: Access, ids: readonly string[]): Promise<Map<string, Node>> {
    return this.nodes.lock(ownerOf(access), ids);
  }

  statesAt(
    access: Access,
    versions: readonly { id: string; version: number }[],
  ): ReturnType<GraphImportsQueries['statesAt']> {
    return this.queries.statesAt(ownerOf(access), versions);
  }

  formerTagNames(access: Access): Promise<{ id: string; name: string }[]> {
    return this.queries.formerTagNames(ownerOf(access));
  }

  listEdges(access: Access, fromIds: readonly string[]): Promise<Edge[]> {
    return this.queries.listEdges(ownerOf(access), fromIds);
  }

  /** A living relationship of living nodes, in the form that RelationshipsService takes. */
  findEdge(access: Access, id: string): ReturnType<RelationshipsQueries['find']> {
    return this.relationships.find(ownerOf(access), id);
  }

  /**
   * The version of its schema that each node conforms to with its new metadata; an importer never sets a
   * schema.
   */
  private async schemaVersions(
    checks: SchemaChecks,
    moves: readonly NodeMove[],
  ): Promise<(number | null | DomainError)[]> {
    const versions: (number | null | DomainError)[] = [];
    for (const { node, step } of moves) {
      const fields = { schema_id: node.record.schema_id, metadata: step.metadata };
      const version = checks.ofNew(fields).catch((error: unknown) => {
        if (!isFaultOfPart(error)) throw error;
        return error.code === 'SCHEMA_NOT_FOUND' ? null : error;
      });
      versions.push(await version);
    }
    return versions;
  }
}

function ownerOf({ isOwner, ownerId }: Access): string {
  if (!isOwner) throw new Error('an import is written in the name of the owner');
  return ownerId;
}

function born(ownerId: string, { draft, createdAt, updatedAt }: NodeArrival, now: Date): Node {
  refuse(newNodeErrors(draft));
  const created = createdAt !== null && createdAt < now ? createdAt : now;
  const updated = updatedAt !== null && updatedAt < now ? updatedAt : now;
  return Node.create(draft, {
    ownerId,
    id: newId(),
    createdAt: created,
    updatedAt: updated < created ? created : updated,
  });
}

function moveTo(
  access: Access,
  { node, step }: NodeMove,
  { now, version }: { now: Date; version: number | null },
) {
  refuse(newNodeErrors(step));
  refuseTooManyTags(step.tag_ids?.length ?? 0);
  const tag_ids = withDeletedTags(access, { before: node.tagIds, written: step.tag_ids ?? [] });
  return node.change({ ...step, tag_ids }, now, { schemaVersion: version });
}

function attempt<T>(work: () => T): T | DomainError {
  try {
    return work();
  } catch (error) {
    if (isFaultOfPart(error)) return error;
    throw error;
  }
}
