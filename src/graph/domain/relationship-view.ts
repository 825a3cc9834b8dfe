import { type Access, type NodeFacts, sees } from '../../privacy/index.js';
import { type Relationship, relationshipRecord } from './relationship.js';

/** A relationship and what rules look at in its two nodes. */
export interface EdgeWithEnds {
  edge: Relationship;
  from: NodeFacts;
  to: NodeFacts;
}

/** A relationship in wire form. What the caller may not see is not in it. */
export type WireRelationship = Record<string, unknown>;

/** Both ends are (decisions 3.19). */
export function isReadable(access: Access, { from, to }: EdgeWithEnds): boolean {
  return sees(access.nodes.read, from) && sees(access.nodes.read, to);
}

/** At detail minimal: what it connects, and the dates, which a node shows there, too. No text of the user's. */
const MINIMAL = new Set([
  'id',
  'from_node_id',
  'to_node_id',
  'bidirectional',
  'graph_view',
  'created_at',
  'updated_at',
]);

/**
 * What this caller is shown: transformations, then the detail level (decisions 3.14, 3.15). Texts are the user's,
 * about both nodes: they are shown as a profile shows the value of either, the context where a value would be, type and
 * emotion, being labels, where a title would be.
 */
export function shownEdge(access: Access, edge: EdgeWithEnds): WireRelationship {
  const { context, emotion_type, created_at, updated_at, ...rest } = relationshipRecord(edge.edge);
  const wire: WireRelationship = {
    ...rest,
    relationship_type: shownType(access, edge),
    emotion_type: shownLabel(access, edge, emotion_type),
    context: asShown(access, edge, { field: 'value', value: context }),
    created_at: asShown(access, edge, { field: 'created_at', value: created_at.toISOString() }),
    updated_at: asShown(access, edge, { field: 'updated_at', value: updated_at.toISOString() }),
  };
  const { detail, isIdentity } = access.exposure;
  if (isIdentity) return wire;
  const shown = Object.entries(wire).filter(
    ([field, value]) => value !== undefined && (detail !== 'minimal' || MINIMAL.has(field)),
  );
  return Object.fromEntries(shown);
}

/** The type as this caller is shown it; undefined when he is not. Filters go by it, too (decisions 3.16). */
export const shownType = (access: Access, edge: Pick<EdgeWithEnds, 'from' | 'to'> & TypedEdge): unknown =>
  shownLabel(access, edge, edge.edge.relationship_type);

interface TypedEdge {
  edge: Pick<Relationship, 'relationship_type'>;
}

function shownLabel(
  { exposure }: Access,
  { from, to }: Pick<EdgeWithEnds, 'from' | 'to'>,
  text: string | null,
): unknown {
  if (exposure.detail === 'minimal') return undefined;
  const once = exposure.transformValue('value', text, from);
  return once === undefined ? undefined : exposure.transformValue('value', once, to);
}

/** As that field of the one node and then of the other would be shown; undefined where either would not show it. */
function asShown(
  { exposure }: Access,
  { from, to }: EdgeWithEnds,
  { field, value }: { field: string; value: unknown },
): unknown {
  const once = exposure.exposeValue(field, value, from);
  return once === undefined ? undefined : exposure.exposeValue(field, once, to);
}
