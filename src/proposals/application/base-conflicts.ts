import { Injectable } from '@nestjs/common';
import { isSame } from '../../kernel/json/json-values.js';
import { type Slices, type Steps } from '../../kernel/slices.js';
import {
  discovers,
  type EdgeWithEnds,
  factsOf,
  type JsonObject,
  type Node,
  NODE_FIELD_NAMES,
  type NodeSnapshot,
  prepareShown,
  RELATIONSHIP_FIELDS,
  shownEdge,
  shownOf,
  ShownVersions,
  slicesOfShowing,
  resolveTag,
} from '../../graph/index.js';
import { type Access, Accesses, type NodeFacts } from '../../privacy/index.js';
import { conflictsOf, type Delta, differing, renewing, tagsConflict } from '../domain/deltas.js';
import { fieldSources, namedNodes } from '../domain/named-things.js';
import { type PreparedNode, type PreparedStep } from '../domain/prepared.js';
import { type Proposal } from '../domain/proposal.js';
import { type Step } from '../domain/proposal-content.js';
import { GraphChangesQueries } from '../infrastructure/graph-changes.queries.js';

/** An action and its node, as it was before the proposal. */
export interface NodeQuestion {
  node: Node;
  /** The action's words; without a `node` it concerns the node as a whole. */
  prepared: PreparedStep;
  /** See {@link BaseConflicts.proposerOf}; null means that the stored numbers count. */
  proposer: Access | null;
  /** The time of all comparisons together. */
  slices: Slices;
}

/** The conflicts of an action with a node, and its deltas for that node. */
export interface NodeConflicts {
  /** Dotted paths; tags as `tags`. */
  fields: string[];
  /** See {@link BaseConflicts.deltasOf}. */
  deltas: readonly Delta[];
}

/** The nodes of a merge, as they were before the proposal. */
interface MergeQuestion extends Pick<NodeQuestion, 'prepared'>, Partial<Pick<NodeQuestion, 'slices'>> {
  nodes: ReadonlyMap<string, Node>;
}

/** A node and its base. */
interface NodeStates extends Pick<NodeQuestion, 'node'>, Pick<MergeQuestion, 'slices'> {
  then: NodeSnapshot;
}

/** The base and the current state of a thing, as a viewer compares them. */
type Compared = Record<'then' | 'now', JsonObject>;

/**
 * Finds the fields that an action changes and that have changed since it was written (rule 8.7c). The base of
 * an action is the version that its app named in base_version, else the version stored when the app wrote it.
 * An app's conflicts come from changes of what it is shown; a viewer who is shown everything compares the stored
 * values. The same statements are sent in either case.
 */
@Injectable()
export class BaseConflicts {
  constructor(
    private readonly changes: GraphChangesQueries,
    private readonly versions: ShownVersions,
    private readonly accesses: Accesses,
  ) {}

  /**
   * The access of the proposing app, by whose numbers a proposal names versions. Null if the app is no longer
   * authorized, or the proposal names none. Called before a unit of work, whose locks must not wait for it.
   */
  async proposerOf(viewer: Access, { steps, record }: Proposal): Promise<Access | null> {
    if (!viewer.isOwner) return viewer;
    const namesOne = steps.some(({ payload }) => typeof payload['base_version'] === 'number');
    return namesOne ? this.accesses.ofAbsentApp(record.app_id, viewer.ownerId) : null;
  }

  /**
   * Conflicts of an update, a retagging or a deletion. An action of an earlier release may have no base, and
   * then has no conflict.
   */
  async ofNode(viewer: Access, { type, payload }: Step, question: NodeQuestion): Promise<NodeConflicts> {
    const { node, prepared, slices } = question;
    const named = payload['base_version'];
    const base = typeof named === 'number' ? await this.baseOf(named, question) : prepared.version;
    const known = [base, prepared.version].filter((version) => version !== undefined);
    const states = await this.changes.states('node', {
      ownerId: viewer.ownerId,
      id: node.id,
      versions: known,
    });
    const deltas = await slices.run(deltasFor(question, states));
    const then = states.get(base ?? 0);
    if (then === undefined) return { fields: [], deltas };
    const compare = () => comparedNode(viewer, { then: then as unknown as NodeSnapshot, node, slices });
    if (prepared.node === undefined)
      return { fields: changedWhole(viewer, await compare(), { then, node }), deltas };
    // Tags are compared as they are stored: their actions need no shown states.
    const fields = type === 'UPDATE_NODE' ? wishConflicts(viewer, prepared.node, await compare()) : [];
    // Tags are added and taken off one by one: without a base that was named they overwrite nothing.
    const isRetagged =
      typeof named === 'number' && meetsTags(viewer, prepared.node, { then, now: { ...node.record } });
    const moved = changesFacts(prepared.node) ? await this.movedBy(viewer, node.id, prepared.version) : [];
    return { fields: [...new Set([...fields, ...(isRetagged ? ['tags'] : []), ...moved])], deltas };
  }

  /** The deltas of an update for a node as it is now: what is forecast, shown and applied alike (rule 8.7g). */
  async deltasOf(
    { ownerId }: Access,
    { slices, ...words }: Pick<NodeQuestion, 'node' | 'prepared' | 'slices'>,
  ): Promise<readonly Delta[]> {
    const { version } = words.prepared;
    const asked = { ownerId, id: words.node.id, versions: version === undefined ? [] : [version] };
    return slices.run(deltasFor(words, await this.changes.states('node', asked)));
  }

  /** Conflicts of a merge: fields of the target that take another node's value, and all of sources; by node. */
  async ofMerge(
    viewer: Access,
    step: Step,
    { nodes, prepared, slices }: MergeQuestion,
  ): Promise<Map<string, string[]>> {
    const conflicts = new Map<string, string[]>();
    const taken = fieldSources(step);
    const [targetId] = namedNodes(step);
    for (const [id, version] of Object.entries(prepared.versions ?? {})) {
      const node = nodes.get(id);
      if (node === undefined) continue;
      const asked = { ownerId: viewer.ownerId, id, versions: [version] };
      const then = (await this.changes.states('node', asked)).get(version);
      if (then === undefined) continue;
      const compared = await comparedNode(viewer, { then: then as unknown as NodeSnapshot, node, slices });
      const isLost = (field: string) => id !== targetId || (taken.get(field) ?? id) !== id;
      const moved = await this.movedBy(viewer, id, version);
      const fields = [...new Set([...changedFields(viewer, compared).filter(isLost), ...moved])];
      if (fields.length > 0) conflicts.set(id, fields);
    }
    return conflicts;
  }

  /** Conflicts of an update or a deletion of a relationship. */
  async ofEdge(
    viewer: Access,
    edge: EdgeWithEnds,
    { version, edge: words, ends }: PreparedStep,
  ): Promise<string[]> {
    if (version === undefined) return [];
    const { id } = edge.edge;
    const asked = { ownerId: viewer.ownerId, id, versions: [version] };
    const then = (await this.changes.states('relationship', asked)).get(version);
    if (then === undefined) return [];
    const stored = Object.fromEntries(RELATIONSHIP_FIELDS.map((field) => [field, then[field]]));
    const past = ends === undefined ? edge : { from: datedFacts(ends.from), to: datedFacts(ends.to) };
    const slices = slicesOfShowing();
    const asStored = { ...past, edge: { ...edge.edge, ...stored } };
    const before = await shownEdge(viewer, asStored, { now: edge, slices });
    const now = await shownEdge(viewer, edge, { now: past, slices });
    const fields = words === undefined ? RELATIONSHIP_FIELDS : Object.keys(words);
    const wanted = (words ?? {}) as JsonObject;
    return differing(fields, before, now).filter(
      (field) => words === undefined || isEdgeMasked(viewer, field) || !isSame(now[field], wanted[field]),
    );
  }

  /**
   * The facts that decide who may read a node, as far as the applying app has changed them since it wrote its action. Its
   * user has approved what the action shows to others (rule 8.10) by the facts that they saw. The app knows its own
   * changes; those of others are no conflict, for it may not be shown them. The user may apply, and sees a new diff.
   */
  private async movedBy(viewer: Access, id: string, since: number | undefined): Promise<string[]> {
    const { appId } = viewer.actor;
    if (viewer.isOwner || appId === null || since === undefined) return [];
    const fields = await this.changes.changedBy(appId, { ownerId: viewer.ownerId, id, since }, FACTS);
    return fields.map((field) => (field === 'tag_ids' ? 'tags' : field));
  }

  /** The version that the app named, but none newer than the version its words are about. */
  private async baseOf(number: number, { node, prepared, proposer }: NodeQuestion): Promise<number> {
    const named = { number, seen: prepared.version };
    const base = proposer === null ? number : await this.versions.versionOf(proposer, node, named);
    return Math.min(base, prepared.version ?? node.version);
  }
}

/** A past state and the current one beside it are shown through the masks of both moments (rule 3.20b). */
async function comparedNode(viewer: Access, { then, node, slices }: NodeStates): Promise<Compared> {
  const { record, facts } = node;
  if (viewer.exposure.isIdentity) return { then: { ...then }, now: { ...record } };
  const past = factsOf(then);
  await prepareShown([then], () => viewer, { now: facts, slices });
  await prepareShown([record], () => viewer, { now: past, slices });
  return { then: shownOf(viewer, then, { now: facts }), now: shownOf(viewer, record, { now: past }) };
}

/** @param states of the node by version */
const deltasFor = (
  { node, prepared }: Pick<NodeQuestion, 'node' | 'prepared'>,
  states: ReadonlyMap<number, JsonObject>,
): Steps<readonly Delta[]> =>
  renewing(prepared.node?.deltas ?? [], states.get(prepared.version ?? 0) ?? null, { ...node.record });

/**
 * Conflicts of an update, for a viewer who is not shown everything by their own wishes alone. In a field that may be
 * shown in part, a change since that is what they wish for is a conflict, too: its hidden part may be another one.
 */
function wishConflicts(viewer: Access, { deltas, wished }: PreparedNode, states: Compared): string[] {
  if (viewer.exposure.isIdentity) return conflictsOf(deltas, states);
  return conflictsOf(wished ?? deltas, states, (field) => viewer.exposure.touches(field));
}

/** The texts of relationships are shown as values of nodes are. */
const isEdgeMasked = ({ exposure }: Access, field: string): boolean =>
  EDGE_TEXTS.includes(field) && exposure.touches('value');

const EDGE_TEXTS: readonly string[] = ['context', 'relationship_type', 'emotion_type'];

/** Facts that were stored as JSON. */
const datedFacts = (facts: NodeFacts): NodeFacts => ({ ...facts, createdAt: new Date(facts.createdAt) });

/** The field `graph_view` is in no answer, so that only its owner can compare it. */
const changedFields = (viewer: Access, { then, now }: Compared): string[] =>
  differing(NODE_FIELD_NAMES, then, now).filter((field) => viewer.isOwner || field !== 'graph_view');

function changedWhole(
  viewer: Access,
  compared: Compared,
  { then, node }: { then: JsonObject; node: Node },
): string[] {
  const isRetagged = !isSame(knownTags(viewer, then).sort(), knownTags(viewer, node.record).sort());
  return [...changedFields(viewer, compared), ...(isRetagged ? ['tags'] : [])];
}

function meetsTags(
  viewer: Access,
  { tags: { added, removed } }: PreparedNode,
  { then, now }: Compared,
): boolean {
  if (added.length + removed.length === 0) return false;
  const wanted = { added: added.map((name) => resolveTag(viewer, name)), removed };
  return tagsConflict(wanted, knownTags(viewer, then), knownTags(viewer, now));
}

/** True for an action that changes what decides who may read a node. */
const changesFacts = ({ deltas, tags: { added, removed } }: PreparedNode): boolean =>
  added.length + removed.length > 0 || deltas.some(({ path: [field] }) => FACTS.includes(field as string));

const FACTS: readonly string[] = ['tag_ids', 'node_type', 'schema_id'];

/** The tags that the viewer is shown; an app that is shown no tags sees no change of them. */
function knownTags(viewer: Access, { tag_ids: ids }: { tag_ids?: unknown }): string[] {
  if (viewer.isOwner) return [...(ids as string[])];
  return viewer.exposure.touches('tags') ? [] : (ids as string[]).filter((id) => discovers(viewer, id));
}
