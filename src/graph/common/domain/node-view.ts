import { Slices } from '../../../kernel/slices.js';
import {
  type Access,
  isShownWhole,
  NODE_EXPOSURE,
  type NodeFacts,
  type PreparedFields,
  RAW_FILE_SCHEMA_ID,
} from '../../../privacy/index.js';
import { discovers } from './known-tags.js';
import { NODE_FIELD_NAMES, type NodeRecord, type NodeSnapshot } from './node-record.js';
import { type CounterValues } from './step-counts.js';

/** A stored node, as a row or as a snapshot of the change log. */
export type NodeSource = NodeRecord | NodeSnapshot;

/** A node in wire form. Fields that the caller may not see are absent. */
export type WireNode = Record<string, unknown>;

const stamps = new WeakMap<Access, WeakMap<NodeSource, CounterValues>>();

/**
 * Records the version and the time of a state for a caller who is not shown all of each node (rule 3.14e).
 */
export function stamp(access: Access, node: NodeSource, { version, updated_at }: CounterValues): void {
  let ofAccess = stamps.get(access);
  if (ofAccess === undefined) stamps.set(access, (ofAccess = new WeakMap()));
  ofAccess.set(node, { version, updated_at });
}

/** True if {@link stamp} was called for this state. */
export const isStamped = (access: Access, node: NodeSource): boolean =>
  stamps.get(access)?.has(node) ?? false;

/**
 * The version and the time of a state as this caller is shown them. Both are absent for an unstamped state
 * if the caller needs a stamp: the stored ones would reveal hidden changes.
 */
export function stampOf(access: Access, node: NodeSource): Partial<CounterValues> {
  if (isShownWhole(access)) return { version: node.version, updated_at: iso(node.updated_at) };
  return stamps.get(access)?.get(node) ?? {};
}

/** The written fields that some detail level shows. */
export const SHOWN_FIELDS = NODE_FIELD_NAMES.filter((field) => NODE_EXPOSURE[field].shownFrom !== null);

/**
 * The wire form with every field, before the caller's exposure. Tags are names that the caller may know, in
 * the node's order; other tags leave no trace (rule 3.9). `graph_view` is never in it.
 */
export function wireOf(access: Access, node: NodeSource): WireNode {
  const wire: WireNode = { id: node.id };
  for (const field of SHOWN_FIELDS) wire[field] = node[field] ?? null;
  wire['tags'] = tagNames(access, node.tag_ids);
  wire['owner_id'] = node.owner_id;
  wire['created_at'] = iso(node.created_at);
  return Object.assign(wire, stampOf(access, node));
}

export interface Viewing {
  /** Further fields to return with the node. */
  extras?: WireNode | undefined;
  /** The current facts, for a past state. Transformations that apply to either state conceal (rule 3.20). */
  now?: NodeFacts | undefined;
}

/** The fields prepared by {@link prepareShown}, which last as long as their node. */
const preparedFields = new WeakMap<NodeSource, PreparedFields>();

/**
 * A node as this caller is shown it: transformations in their order, then the detail level (rules 3.14,
 * 3.15).
 * @throws Error for a node of long values that was not prepared
 */
export function shownOf(access: Access, node: NodeSource, { extras, now }: Viewing = {}): WireNode {
  const wire = extras === undefined ? wireOf(access, node) : { ...wireOf(access, node), ...extras };
  if (access.exposure.isIdentity) return wire;
  const states = decidingFacts(node, now);
  const shown = access.exposure.expose(wire, states, preparedFields.get(node));
  if (!namesFile(access, states)) return shown;
  return { ...shown, ...titledAlike(shown['metadata'], shown['title']) };
}

/**
 * One field of a node, or a path in its metadata, by all states that count, computed in slices; undefined
 * when it is not shown.
 */
export async function shownValue(
  access: Access,
  { path, value }: { path: string; value: unknown },
  { states, slices }: { states: readonly NodeFacts[]; slices: Slices },
): Promise<unknown> {
  const shown = await access.exposure.exposeValueInSlices({ path, value }, states, slices);
  if (!/^metadata(\.filename)?$/.test(path) || !namesFile(access, states)) return shown;
  const asTitle = (name: unknown) =>
    access.exposure.exposeValueInSlices({ path: 'title', value: name }, states, slices);
  if (path !== 'metadata') return typeof shown === 'string' ? asTitle(value) : shown;
  return titledAlike(shown, await asTitle((value as WireNode | null)?.['filename'])).metadata ?? shown;
}

/** Milliseconds of work for one request. */
const MOST_WORK = 10_000;

export const slicesOfShowing = (): Slices => new Slices(MOST_WORK);

/** Slices without a limit, for answers to writes and for events, which must be completed in any case. */
export const slicesWithoutEnd = (): Slices => new Slices(Infinity);

/**
 * Does the long part of presenting these nodes in slices, before they are presented (see
 * FieldExposure.prepare).
 */
export async function prepareShown(
  nodes: Iterable<NodeSource>,
  accessTo: (node: NodeSource) => Access,
  { slices = slicesOfShowing(), now }: Preparing = {},
): Promise<void> {
  for (const node of nodes) {
    const access = accessTo(node);
    if (!access.exposure.takesTime) continue;
    const fields = await access.exposure.prepare(wireOf(access, node), decidingFacts(node, now), slices);
    preparedFields.set(node, new Map([...(preparedFields.get(node) ?? []), ...fields]));
  }
}

interface Preparing {
  slices?: Slices | undefined;
  /** The present facts beside a past state: see {@link Viewing}. */
  now?: NodeFacts | undefined;
}

/** True for a file whose title is transformed: the name in its metadata is then shown like the title. */
const namesFile = ({ exposure }: Access, states: readonly NodeFacts[]): boolean =>
  exposure.transforms('title') && states.some(({ schemaId }) => schemaId === RAW_FILE_SCHEMA_ID);

function titledAlike(metadata: unknown, title: unknown): { metadata?: WireNode } {
  const { filename, ...rest } = (metadata ?? {}) as WireNode;
  if (typeof filename !== 'string') return {};
  return { metadata: title === undefined ? rest : { ...rest, filename: title } };
}

/** The states that decide how a state is shown: itself, and for a past one also the current facts. */
export const decidingFacts = (node: NodeSource, now: NodeFacts | undefined): readonly NodeFacts[] =>
  now === undefined ? [factsOf(node)] : [factsOf(node), now];

export function factsOf(node: NodeSource): NodeFacts {
  return {
    id: node.id,
    tagIds: node.tag_ids,
    schemaId: node.schema_id,
    nodeType: node.node_type,
    createdAt: new Date(node.created_at),
  };
}

/** The names of those tags that the caller may know, in their order. */
export function tagNames(access: Access, ids: readonly string[]): string[] {
  const names: string[] = [];
  for (const id of ids) {
    if (discovers(access, id)) names.push(access.vocabulary.nameOf(id) as string);
  }
  return names;
}

const iso = (date: Date | string): string => (typeof date === 'string' ? date : date.toISOString());
