import { type Clock } from '../../../kernel/clock.js';
import { type Access, type NodeFacts } from '../../../privacy/index.js';
import { nodeNotFound } from '../../common/index.js';
import { type Node } from '../../nodes/index.js';
import { endsAfter, mergedEdges, sameness } from '../domain/merged-edges.js';
import { type Ends, type Relationship } from '../domain/relationship.js';
import { type EdgeWithEnds } from '../domain/relationship-view.js';
import { type RelationshipsQueries } from '../infrastructure/relationships.queries.js';
import { type RelationshipsRepository } from '../infrastructure/relationships.repository.js';
import { tooManyEdges } from './edge-moves.service.js';
import {
  edgeChange,
  newEdges,
  type NewRelationshipBody,
  type RelationshipEdit,
} from './relationships.service.js';

/** Edits on trial: in the owner's name, with the nodes that they name as they leave them. */
interface Trial {
  owner: Access;
  /** The caller whose readable relationships count among those stored at merged nodes. */
  reader: Access;
  nodes: ReadonlyMap<string, Node>;
}

interface Tools {
  stored: RelationshipsRepository;
  queries: RelationshipsQueries;
  clock: Clock;
}

/** Relationships as edits on trial leave them, in memory: nothing is written or locked. */
export class TrialEdges {
  /** The relationships that the edits have made, changed or moved, by id; null for a deleted one. */
  private readonly touched = new Map<string, Relationship | null>();

  constructor(
    private readonly trial: Trial,
    private readonly tools: Tools,
  ) {}

  /** A living relationship of living nodes, among those that were stored before the edits. */
  async find(id: string): Promise<EdgeWithEnds | null> {
    const stored = await this.tools.queries.find(this.trial.owner.ownerId, id.toLowerCase());
    if (stored === null) return null;
    const touched = this.touched.get(stored.edge.id);
    const edge = touched === undefined ? stored.edge : touched;
    if (edge === null) return null;
    const [from, to] = [this.facts(edge.from_node_id, stored), this.facts(edge.to_node_id, stored)];
    return from === null || to === null ? null : { edge, from, to };
  }

  /** Works like a direct write of the owner, between nodes that the edits name or have made. */
  connect(body: NewRelationshipBody): string[] {
    const { owner, nodes } = this.trial;
    const made = newEdges(owner.ownerId, body, this.tools.clock.now());
    for (const edge of made) {
      const lost = ENDS.filter((end) => nodes.get(edge[end])?.isDeleted ?? true);
      if (lost.length > 0) throw nodeNotFound(lost);
    }
    for (const edge of made) this.touched.set(edge.id, edge);
    return made.map(({ id }) => id);
  }

  async change(edge: EdgeWithEnds, edit: Pick<RelationshipEdit, 'body' | 'unseen'>): Promise<void> {
    const step = await edgeChange(this.trial.owner, edge, { ...edit, at: this.tools.clock.now() });
    if (step !== null) this.touched.set(step.edge.id, step.edge);
  }

  delete(id: string): void {
    this.touched.set(id, null);
  }

  /**
   * The relationships at these nodes.
   * @throws VALIDATION_ERROR beyond the room
   */
  async at(nodeIds: readonly string[], room: number): Promise<Relationship[]> {
    const isAt = (edge: Ends) => ENDS.some((end) => nodeIds.includes(edge[end]));
    const limit = room + 1 + this.touched.size;
    const stored = await this.tools.queries.readableAt(this.trial.reader, nodeIds, limit);
    const edges = [...stored.filter(({ id }) => !this.touched.has(id)), ...this.living(isAt)];
    if (edges.length > room) throw tooManyEdges();
    return edges;
  }

  /** Moves relationships as a merge does. */
  async move(edges: readonly Relationship[], targetId: string, sources: ReadonlySet<string>): Promise<void> {
    if (edges.length === 0) return;
    const keys = new Set(edges.map((edge) => sameness({ ...edge, ...endsAfter(edge, targetId, sources) })));
    const { ownerId } = this.trial.owner;
    const place = { nodeId: targetId, samenesses: [...keys], except: [...this.touched.keys()] };
    const stored = await this.tools.stored.findSame(ownerId, place);
    const moving = new Set(edges.map(({ id }) => id));
    const same = [...stored, ...this.living((edge) => keys.has(sameness(edge)) && !moving.has(edge.id))];
    for (const { edge, ends } of mergedEdges([...same, ...edges], targetId, sources))
      this.touched.set(edge.id, ends === null ? null : { ...edge, ...ends });
  }

  private living(isWanted: (edge: Relationship) => boolean): Relationship[] {
    return [...this.touched.values()].filter((edge): edge is Relationship => edge !== null && isWanted(edge));
  }

  /** The facts of an end; null when the edits have deleted it. */
  private facts(id: string, { from, to }: EdgeWithEnds): NodeFacts | null {
    const node = this.trial.nodes.get(id);
    if (node !== undefined) return node.isDeleted ? null : node.facts;
    return [from, to].find((stored) => stored.id === id) ?? null;
  }
}

const ENDS = ['from_node_id', 'to_node_id'] as const;
