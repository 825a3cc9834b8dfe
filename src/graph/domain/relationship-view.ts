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

/** At detail minimal: what it connects and how, and the dates, which a node shows there, too. */
const MINIMAL = new Set([
  'id',
  'from_node_id',
  'to_node_id',
  'relationship_type',
  'bidirectional',
  'graph_view',
  'created_at',
  'updated_at',
]);

/**
 * What this caller is shown: transformations, then the detail level (decisions 3.14, 3.15). The context is the user's
 * text about both nodes: it is shown where a node's value would be, and as a profile shows the value of either.
 */
export function shownEdge(access: Access, edge: EdgeWithEnds): WireRelationship {
  const { context, created_at, updated_at, ...rest } = relationshipRecord(edge.edge);
  const wire: WireRelationship = {
    ...rest,
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

/** As that field of the one node and then of the other would be shown; undefined where either would not show it. */
function asShown(
  { exposure }: Access,
  { from, to }: EdgeWithEnds,
  { field, value }: { field: string; value: unknown },
): unknown {
  const once = exposure.exposeValue(field, value, from);
  return once === undefined ? undefined : exposure.exposeValue(field, once, to);
}
