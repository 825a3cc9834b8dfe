import {
  markErrors,
  unmaskFields,
  nodeNotFound,
  refuse,
  relationshipNotFound,
  slicesOfShowing,
} from '../../common/index.js';
import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../../../kernel/change-log/change-log.js';
import { Clock } from '../../../kernel/clock.js';
import { DomainError, type FieldError } from '../../../kernel/errors/domain-error.js';
import { isId, newId } from '../../../kernel/ids.js';
import { UnitOfWork } from '../../../kernel/change-log/unit-of-work.js';
import { type Access, type NodeFacts, sees } from '../../../privacy/index.js';
import { relationshipFieldErrors } from '../domain/relationship-fields.js';
import { type EdgeWithEnds, shownEdge } from '../domain/relationship-view.js';
import {
  changeRelationship,
  deletedRelationship,
  newRelationship,
  type Relationship,
  type RelationshipFields,
  relationshipRecord,
  reverseOf,
} from '../domain/relationship.js';
import { RelationshipsQueries } from '../infrastructure/relationships.queries.js';
import { RelationshipsRepository } from '../infrastructure/relationships.repository.js';
import { changeOfEdge } from './relationship-writes.js';

/** The sent fields of a relationship: absent stays, null clears. */
export type RelationshipBody = Partial<RelationshipFields>;

export type NewRelationshipBody = RelationshipBody & {
  relationship_type: string;
  from_node_id: string;
  to_node_id: string;
  bidirectional?: boolean;
};

/** Throws PRECONDITION_FAILED when the relationship's version is not the one in If-Match. */
export type RelationshipPrecondition = (edge: Relationship) => Promise<void>;

export interface RelationshipEdit {
  body: RelationshipBody;
  precondition?: RelationshipPrecondition;
  /**
   * Fields of the original writer that make a version even if they equal the stored values: see
   * {@link unmaskFields}.
   */
  unseen?: readonly string[] | undefined;
}

/** Writes to one person's relationships. Every step is one unit of work and one row of the change log for each edge. */
@Injectable()
export class RelationshipsService {
  constructor(
    private readonly relationships: RelationshipsRepository,
    private readonly queries: RelationshipsQueries,
    private readonly units: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates an edge, and the reverse one if it is bidirectional (rule 4.16).
   * @throws VALIDATION_ERROR for a loop; NODE_NOT_FOUND for an end the caller cannot read;
   * PERMISSION_DENIED when the caller may not edit the from-node, or one of both if bidirectional (rule
   * 3.19)
   * @param caller the access to the own graph; an edge between two nodes of one sharer belongs to the
   * sharer
   * @returns the edge, with the access to its graph
   */
  async create(
    caller: Access,
    body: NewRelationshipBody,
  ): Promise<{ access: Access; made: EdgeWithEnds; reverseId: string | null }> {
    const [fromId, toId] = endsOf(body);
    return this.units.run(async () => {
      const access = isId(fromId) ? await this.queries.accessTo(caller, fromId) : caller;
      const { from, to } = await this.ends(access, [fromId, toId], caller);
      const edited = body.bidirectional === true ? [from, to] : [from];
      if (!edited.every((facts) => sees(access.nodes.edit, facts))) {
        throw new DomainError('PERMISSION_DENIED', 'You may not add relationships to this node');
      }
      const made = newEdges(access.ownerId, body, this.clock.now());
      await this.relationships.insert(made);
      for (const edge of made) this.changes.append(changeOfEdge(edge, 'created'));
      const [edge, reverse] = made as [Relationship, Relationship?];
      return { access, made: { edge, from, to }, reverseId: reverse?.id ?? null };
    });
  }

  /**
   * Replaces the sent fields; values written back as this caller reads them stay (rules 3.17, 4.2).
   * @returns the current relationship
   * @throws NOT_FOUND when it no longer exists, PRECONDITION_FAILED, VALIDATION_ERROR
   */
  async update(
    access: Access,
    located: EdgeWithEnds,
    { body, precondition, ...edit }: RelationshipEdit,
  ): Promise<EdgeWithEnds> {
    return this.units.run(async () => {
      const current = { ...located, edge: await this.locked(access.ownerId, located.edge.id) };
      await precondition?.(current.edge);
      const step = await edgeChange(access, current, { body, ...edit, at: this.clock.now() });
      if (step === null) return current;
      await this.relationships.update(step.edge);
      this.changes.append(changeOfEdge(step.edge, 'updated', step.changed));
      return { ...current, edge: step.edge };
    });
  }

  /** @throws NOT_FOUND when it no longer exists, PRECONDITION_FAILED */
  async delete(access: Access, id: string, precondition?: RelationshipPrecondition): Promise<void> {
    await this.units.run(async () => {
      const edge = await this.locked(access.ownerId, id);
      await precondition?.(edge);
      const deleted = deletedRelationship(edge, this.clock.now());
      await this.relationships.update(deleted);
      this.changes.append(changeOfEdge(deleted, 'deleted'));
    });
  }

  /** Unknown, foreign, deleted and hidden nodes answer alike (rule 3.18). */
  private async ends(
    access: Access,
    [fromId, toId]: [string, string],
    caller: Access,
  ): Promise<{ from: NodeFacts; to: NodeFacts }> {
    const facts = await this.queries.facts(access.ownerId, [fromId, toId].filter(isId));
    const [from, to] = [facts.get(fromId), facts.get(toId)];
    const isThere = (end: NodeFacts | undefined): end is NodeFacts =>
      end !== undefined && sees(access.nodes.read, end);
    if (isThere(from) && isThere(to)) return { from, to };
    if (isThere(from) && isId(toId)) await this.refuseAcross(access, toId, caller);
    const lost = [...(isThere(from) ? [] : ['from_node_id']), ...(isThere(to) ? [] : ['to_node_id'])];
    throw nodeNotFound(lost);
  }

  /** Refuses to connect nodes of different graphs that the caller can read. */
  private async refuseAcross(access: Access, toId: string, caller: Access): Promise<void> {
    const elsewhere = await this.queries.accessTo(caller, toId);
    if (elsewhere.ownerId === access.ownerId) return;
    const facts = (await this.queries.facts(elsewhere.ownerId, [toId])).get(toId);
    if (facts && sees(elsewhere.nodes.read, facts)) {
      throw DomainError.validation('to_node_id', 'must be a node of the same owner as from_node_id');
    }
  }

  private async locked(ownerId: string, id: string): Promise<Relationship> {
    const edge = await this.relationships.lock(ownerId, id);
    if (edge === null) throw relationshipNotFound();
    return edge;
  }
}

/**
 * The ends of a new relationship, in lower case.
 * @throws VALIDATION_ERROR for a loop
 */
function endsOf({ from_node_id, to_node_id }: NewRelationshipBody): [string, string] {
  const [fromId, toId] = [from_node_id.toLowerCase(), to_node_id.toLowerCase()];
  if (fromId === toId) throw DomainError.validation('to_node_id', 'must be another node than from_node_id');
  return [fromId, toId];
}

/**
 * A new relationship, and the reverse one if it is bidirectional.
 * @throws VALIDATION_ERROR for a loop
 */
export function newEdges(ownerId: string, body: NewRelationshipBody, at: Date): Relationship[] {
  const [from_node_id, to_node_id] = endsOf(body);
  const edge = newRelationship({ owner_id: ownerId, id: newId(), from_node_id, to_node_id, at }, body);
  return body.bidirectional === true ? [edge, reverseOf(edge, newId())] : [edge];
}

/**
 * The step of a relationship that an edit makes; null when it changes nothing.
 * @throws VALIDATION_ERROR
 */
export async function edgeChange(
  access: Access,
  edge: EdgeWithEnds,
  { body, at, ...edit }: Pick<RelationshipEdit, 'body' | 'unseen'> & { at: Date },
): Promise<ReturnType<typeof changeRelationship>> {
  const { fields, unseen, marks } = await unmaskEdgeWrite(access, edge, body);
  refuse([...marks, ...relationshipFieldErrors(fields)]);
  return changeRelationship(edge.edge, fields, { at, unseen: edit.unseen ?? unseen });
}

/**
 * The change of a relationship that the caller intends, derived from what they are shown of it (rule 3.17).
 */
export async function unmaskEdgeWrite(
  access: Access,
  edge: EdgeWithEnds,
  body: RelationshipBody,
): Promise<{ fields: RelationshipBody; unseen: readonly string[]; marks: FieldError[] }> {
  if (access.exposure.isIdentity) return { fields: typeTrimmed(body, edge.edge), unseen: [], marks: [] };
  const slices = slicesOfShowing();
  const shown = await shownEdge(access, edge, { slices });
  const stored = { ...relationshipRecord(edge.edge) };
  const { fields, unseen } = await slices.run(
    unmaskFields(access.exposure, { written: body, shown, stored }),
  );
  const { context, relationship_type, emotion_type } = body;
  const marks = await slices.run(
    markErrors(access, { written: { context, relationship_type, emotion_type }, shown }, 'value'),
  );
  return { fields: typeTrimmed(fields, edge.edge), unseen, marks };
}

/** New types have no space at either end, but stored and shown ones may have. */
function typeTrimmed(
  fields: RelationshipBody,
  { relationship_type: stored }: Relationship,
): RelationshipBody {
  const type: unknown = fields.relationship_type;
  return typeof type !== 'string' || type === stored ? fields : { ...fields, relationship_type: type.trim() };
}
