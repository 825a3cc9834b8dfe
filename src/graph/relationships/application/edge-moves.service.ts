import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../../../kernel/change-log/change-log.js';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { rest } from '../../../kernel/slices.js';
import { type Access } from '../../../privacy/index.js';
import { endsAfter, mergedEdges, MOST_MOVED_EDGES, sameness } from '../domain/merged-edges.js';
import { type Node } from '../../nodes/index.js';
import { deletedRelationship, moveRelationship, type Relationship } from '../domain/relationship.js';
import { RelationshipsRepository } from '../infrastructure/relationships.repository.js';
import { changeOfEdge } from './relationship-writes.js';

/** Moves the edges of merged nodes, in a number of statements that does not depend on theirs. Needs a unit of work. */
@Injectable()
export class EdgeMoves {
  constructor(
    private readonly edges: RelationshipsRepository,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /**
   * The edges at nodes that are still living, locked.
   * @param room the most edges that may move
   * @throws VALIDATION_ERROR beyond the room
   */
  async edgesAt({ ownerId }: Access, nodeIds: readonly string[], room: number): Promise<Relationship[]> {
    // Counted first: beyond the room none of their texts is read.
    if ((await this.edges.countAt(ownerId, nodeIds, room + 1)) > room) throw tooManyEdges();
    const edges = await this.edges.lockAt(ownerId, nodeIds, room + 1);
    if (edges.length > room) throw tooManyEdges();
    return edges;
  }

  /**
   * Moves edges to the target, and deletes those that would be loops or duplicates.
   * @param edges the edges at the sources
   */
  async move(
    edges: readonly Relationship[],
    { ownerId, id: targetId }: Node,
    sources: ReadonlySet<string>,
  ): Promise<void> {
    if (edges.length === 0) return;
    const samenesses = edges.map((edge) => sameness({ ...edge, ...endsAfter(edge, targetId, sources) }));
    const same = await this.edges.lockSame(ownerId, targetId, [...new Set(samenesses)]);
    const at = this.clock.now();
    const saved: Relationship[] = [];
    for (const { edge, ends } of mergedEdges([...same, ...edges], targetId, sources)) {
      const step = ends === null ? null : moveRelationship(edge, ends, at);
      const next = step?.edge ?? deletedRelationship(edge, at);
      saved.push(next);
      this.changes.append(changeOfEdge(next, step === null ? 'deleted' : 'updated', step?.changed));
      const pause = rest();
      if (pause !== undefined) await pause;
    }
    await this.edges.saveMoved(saved);
  }
}

export const tooManyEdges = (): DomainError =>
  DomainError.validation(
    'source_node_ids',
    `the merges of a proposal may move at most ${MOST_MOVED_EDGES} relationships; merge fewer nodes at a time, or delete some of their relationships first`,
  );
