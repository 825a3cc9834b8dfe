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
 * @param now the current ends of a past state, or several states of the ends, which also count (rule 3.20)
 */
export async function shownEdge(
  access: Access,
  { edge, ...facts }: EdgeWithEnds,
  { now = [], slices }: { now?: Ends | readonly Ends[] | undefined; slices: Slices },
): Promise<WireRelationship> {
  const ends = endStatesOf([facts, now].flat());
  const label = (field: string, text: string | null) =>
    shownLabel(access, statesFor(edge, field, ends), { text, slices });
  const { emotion_type, created_at, updated_at, version, ...rest } = relationshipRecord(edge);
  const wire: WireRelationship = {
    ...rest,
    relationship_type: await label('type', rest.relationship_type),
    emotion_type: await label('emotion', emotion_type),
    context: await shownContext(access, statesFor(edge, 'context', ends), { text: rest.context, slices }),
    created_at: shownTime(access, ends, created_at.toISOString()),
    ...(showsVersion(access) ? { updated_at: updated_at.toISOString(), version } : {}),
  };
  const { detail, isIdentity } = access.exposure;
  if (isIdentity) return wire;
  const shown = Object.entries(wire).filter(
    ([field, value]) => value !== undefined && (detail !== 'minimal' || MINIMAL.has(field)),
  );
  return Object.fromEntries(shown);
}

const endStatesOf = (states: readonly Ends[]): EndStates => ({
  from: states.map(({ from }) => from),
  to: states.map(({ to }) => to),
});

/**
 * True for callers from whom no relationship is hidden: version and time of change move with every change
 * (rule 3.14g).
 */
export const showsVersion = (access: Access): boolean => seesEverything(access);

/** The type as this caller is shown it; undefined when it is hidden. Filters use it, too (rule 3.16). */
export const shownType = (access: Access, edge: Ends & TypedEdge, slices: Slices): Promise<unknown> =>
  shownLabel(access, statesFor(edge.edge, 'type', endStatesOf([edge])), {
    text: edge.edge.relationship_type,
    slices,
  });

interface TypedEdge {
  edge: Pick<Relationship, 'id' | 'relationship_type'>;
}

interface ShownText {
  text: string | null;
  slices: Slices;
}

/** A text as one node and then the other would show it; undefined when either would not show it. */
async function shownLabel(
  { exposure }: Access,
  { from, to }: EndStates,
  { text, slices }: ShownText,
): Promise<unknown> {
  if (exposure.detail === 'minimal') return undefined;
  const once = await exposure.transformValueInSlices({ path: 'value', value: text }, from, slices);
  if (once === undefined) return undefined;
  return exposure.transformValueInSlices({ path: 'value', value: once }, to, slices);
}

async function shownContext(
  { exposure }: Access,
  { from, to }: EndStates,
  { text, slices }: ShownText,
): Promise<unknown> {
  const once = await exposure.exposeValueInSlices({ path: 'value', value: text }, from, slices);
  if (once === undefined) return undefined;
  return exposure.exposeValueInSlices({ path: 'value', value: once }, to, slices);
}

function shownTime({ exposure }: Access, { from, to }: EndStates, time: string): unknown {
  const once = exposure.exposeValue('created_at', time, from);
  return once === undefined ? undefined : exposure.exposeValue('created_at', once, to);
}
