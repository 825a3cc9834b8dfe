import { type Slices } from '../../../kernel/slices.js';
import {
  type Access,
  type NodeFacts,
  type ShownFacts,
  sees,
  seesEverything,
} from '../../../privacy/index.js';
import { type Relationship, relationshipRecord } from './relationship.js';

/** A relationship and the facts of its two nodes. */
export interface EdgeWithEnds {
  edge: Relationship;
  from: NodeFacts;
  to: NodeFacts;
}

type Ends = Pick<EdgeWithEnds, 'from' | 'to'>;

/** The states of each end that decide how the edge is shown. */
type EndStates = Readonly<Record<keyof Ends, readonly ShownFacts[]>>;

/** The states for one text of the edge, of which a hash depends on the edge and the field. */
function statesFor(edge: Pick<Relationship, 'id'>, field: string, { from, to }: EndStates): EndStates {
  const ofText = (states: readonly ShownFacts[]) =>
    states.map((state) => ({ ...state, id: `${edge.id} ${field}` }));
  return { from: ofText(from), to: ofText(to) };
}

/** A relationship in wire form. Fields that the caller may not see are absent. */
export type WireRelationship = Record<string, unknown>;

/** True if both ends are readable (rule 3.19). */
export function isReadable(access: Access, { from, to }: EdgeWithEnds): boolean {
  return sees(access.nodes.read, from) && sees(access.nodes.read, to);
}

/**
 * The fields at detail minimal: the connected nodes, and times that a node shows there too. No text of the
 * user's.
 */
const MINIMAL = new Set(['id', 'from_node_id', 'to_node_id', 'bidirectional', 'graph_view', 'created_at']);

/**
 * A relationship as this caller is shown it: transformations, then the detail level (rules 3.14, 3.15).
 * Texts belong to both nodes: they are shown as a profile shows the value of either, the context like a
 * value; type and emotion, being labels, like a title.
 * @param now the current ends of a past state, which also count (rule 3.20)
 */
export function shownEdge(access: Access, edge: EdgeWithEnds, now?: Ends): WireRelationship {
  const ends = endStatesOf(edge, now);
  const context = asShown(access, statesFor(edge.edge, 'context', ends), {
    field: 'value',
    value: edge.edge.context,
  });
  return wireOf(access, edge, ends, context);
}

/** The same in slices: the context may be long. */
export async function shownEdgeInSlices(
  access: Access,
  edge: EdgeWithEnds,
  { now, slices }: { now?: Ends | undefined; slices: Slices },
): Promise<WireRelationship> {
  const ends = endStatesOf(edge, now);
  const { from, to } = statesFor(edge.edge, 'context', ends);
  const show = (value: unknown, states: readonly ShownFacts[]) =>
    access.exposure.exposeValueInSlices({ path: 'value', value }, states, slices);
  const once = await show(edge.edge.context, from);
  return wireOf(access, edge, ends, once === undefined ? undefined : await show(once, to));
}

const endStatesOf = ({ from, to }: Ends, now: Ends | undefined): EndStates =>
  now ? { from: [from, now.from], to: [to, now.to] } : { from: [from], to: [to] };

function wireOf(
  ...[access, { edge }, ends, context]: [Access, EdgeWithEnds, EndStates, unknown]
): WireRelationship {
  const { emotion_type, created_at, updated_at, version, ...rest } = relationshipRecord(edge);
  const wire: WireRelationship = {
    ...rest,
    relationship_type: shownLabel(access, statesFor(edge, 'type', ends), rest.relationship_type),
    emotion_type: shownLabel(access, statesFor(edge, 'emotion', ends), emotion_type),
    context,
    created_at: asShown(access, ends, { field: 'created_at', value: created_at.toISOString() }),
    ...(showsVersion(access) ? { updated_at: updated_at.toISOString(), version } : {}),
  };
  const { detail, isIdentity } = access.exposure;
  if (isIdentity) return wire;
  const shown = Object.entries(wire).filter(
    ([field, value]) => value !== undefined && (detail !== 'minimal' || MINIMAL.has(field)),
  );
  return Object.fromEntries(shown);
}

/**
 * True for callers from whom no relationship is hidden: version and time of change move with every change
 * (rule 3.14g).
 */
export const showsVersion = (access: Access): boolean => seesEverything(access);

/** The type as this caller is shown it; undefined when it is hidden. Filters use it, too (rule 3.16). */
export const shownType = (access: Access, edge: Ends & TypedEdge): unknown =>
  shownLabel(access, statesFor(edge.edge, 'type', endStatesOf(edge, undefined)), edge.edge.relationship_type);

interface TypedEdge {
  edge: Pick<Relationship, 'id' | 'relationship_type'>;
}

function shownLabel({ exposure }: Access, { from, to }: EndStates, text: string | null): unknown {
  if (exposure.detail === 'minimal') return undefined;
  const once = exposure.transformValue('value', text, from);
  return once === undefined ? undefined : exposure.transformValue('value', once, to);
}

/**
 * A text as that field of one node and then of the other would be shown; undefined when either would not
 * show it.
 */
function asShown(
  { exposure }: Access,
  { from, to }: EndStates,
  { field, value }: { field: string; value: unknown },
): unknown {
  const once = exposure.exposeValue(field, value, from);
  return once === undefined ? undefined : exposure.exposeValue(field, once, to);
}
