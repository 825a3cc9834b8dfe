import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { isSame } from '../../kernel/json/json-values.js';
import { factsOf, type JsonObject, NodePresenter, type NodeRecord, wireOf } from '../../graph/index.js';
import { type Access, sees } from '../../privacy/index.js';
import { opensEarlier } from '../domain/earlier-states.js';
import { newlyShownPaths, shownContentFields, unknownPaths } from '../domain/newly-shown.js';
import { type EarlierStates } from '../infrastructure/earlier-states.queries.js';
import { type AppView, isTimeUp } from './app-view.js';
import { type Expected, type ExpectedNode } from './expected-nodes.js';

/** A node of which an app is newly shown a part. */
export interface NodeShownAnew {
  /** Null: it does not exist yet. */
  id: string | null;
  title: string;
  newly_readable: boolean;
  /** Dotted paths. */
  fields: string[];
  /** True if it could read more of some earlier version, or of a contribution of one, than now. */
  earlier_versions: boolean;
  /** A digest of the shown values of these fields, and of the versions of nodes whose past it could read. */
  content: string;
}

/** The nodes after a proposal, and the past behind them. */
export interface NodesAfter {
  nodes: readonly ExpectedNode[];
  past: EarlierStates;
  /** The nodes that actions other than merges change for rules. */
  moved: ReadonlySet<string>;
}

/** A node with its last state, and the nodes whose past it opens. */
type ComparedNode = ExpectedNode & { after: NodeRecord; opened: readonly NodeRecord[] };

/** Finds the nodes of which a proposal would show an app more. */
@Injectable()
export class NodeDisclosures {
  constructor(private readonly presenter: NodePresenter) {}

  /** The nodes that the app would newly see a part of, and the ids of all that it could read and that are left. */
  async shownTo(
    view: AppView,
    outcome: NodesAfter,
  ): Promise<{ nodes: NodeShownAnew[]; readable: ReadonlySet<string>; isComplete: boolean }> {
    const readable = new Set<string>();
    const nodes: NodeShownAnew[] = [];
    for (const node of outcome.nodes) {
      if (isTimeUp(view.slices)) return { nodes, readable, isComplete: false };
      const after = lastOf(node);
      if (after === null || !reads(view.then, after)) continue;
      if (node.after !== null) readable.add(after.id);
      const opened = openedBy(view, { ...node, after }, outcome);
      nodes.push(...(await this.shownOf(view, { ...node, after, opened })));
    }
    return { nodes, readable, isComplete: true };
  }

  private async shownOf(view: AppView, node: ComparedNode): Promise<NodeShownAnew[]> {
    const { before, after, opened } = node;
    const { access, then, slices } = view;
    const known = before !== null && reads(access, before) ? before : null;
    if (known !== null && opened.length === 0 && isShownAlike(view, { ...node, before: known })) return [];
    const shown = await this.presenter.presentState(then, after, slices);
    const fields =
      known === null
        ? shownContentFields(shown)
        : [
            ...(await this.unmasked(view, known, { after, shown })),
            ...(await this.takenOver(view, { ...node, before: known, shown })),
          ];
    if (known !== null && fields.length === 0 && opened.length === 0) return [];
    const shownAnew = { title: after.title, newly_readable: known === null, fields: [...new Set(fields)] };
    // A new node holds the words of the proposal, shown by an id that it does not have yet.
    const values = before === null ? {} : shown;
    const content = digestOf(values, fields, opened);
    const id = before === null ? null : after.id;
    return [{ id, ...shownAnew, earlier_versions: opened.length > 0, content }];
  }

  /** The paths of unchanged values that the new state of the node shows differently than the present one. */
  private async unmasked(
    { then, slices }: AppView,
    before: NodeRecord,
    { after, shown }: { after: NodeRecord; shown: JsonObject },
  ): Promise<string[]> {
    const standing = standingOf(before);
    if (isSame(standing, standingOf(after))) return [];
    const underOldRules = await this.presenter.presentState(then, { ...after, ...standing }, slices);
    const asBefore = { ...underOldRules, ...CHANGED_BY_WORDS };
    const paths = newlyShownPaths(asBefore, { ...shown, ...CHANGED_BY_WORDS }, wireOf(then, after));
    // The time of a state as an app is shown it is counted from its whole history, and not part of the state.
    const { exposure } = then;
    const isTimed = exposure.unmasks('updated_at', factsOf(before), factsOf(after));
    return isTimed && exposure.shows('updated_at') ? [...paths, 'updated_at'] : paths;
  }

  /** The paths of values from other nodes that are hidden there now. */
  private async takenOver(
    { access, slices }: AppView,
    { before, sources, taken, shown }: ExpectedNode & { before: NodeRecord; shown: JsonObject },
  ): Promise<string[]> {
    if (sources.length === 0 && taken.size === 0) return [];
    const here = await this.presenter.presentState(access, before, slices);
    const there = new Map<NodeRecord, JsonObject>();
    for (const record of sources)
      there.set(
        record,
        reads(access, record) ? await this.presenter.presentState(access, record, slices) : {},
      );
    const paths = [...taken]
      .filter(([field]) => !isSame(here[field], shown[field]))
      .flatMap(([field, record]) => unknownPaths(there.get(record)?.[field], shown[field], field));
    const tags = new Set([here, ...there.values()].flatMap(namesIn));
    const isRetagged = sources.length > 0 && namesIn(shown).some((name) => !tags.has(name));
    return [...paths, ...(isRetagged ? ['tags'] : [])];
  }
}

/** True if the rules show the same of a readable node before and after, whatever it contains: masks need not work on it. */
function isShownAlike(
  { then: { exposure } }: AppView,
  { before, after, sources, taken }: ComparedNode & { before: NodeRecord },
): boolean {
  if (sources.length > 0 || taken.size > 0) return false;
  // The schema of a file decides that its name is shown like its title (rule 3.15).
  const isNamedAlike = before.schema_id === after.schema_id || !exposure.transforms('title');
  return isNamedAlike && exposure.worksAlike(factsOf(before), factsOf(after));
}

/** The last state of a node: an app that may delete could restore one that the proposal ends, and read it. */
const lastOf = ({ before, after, ended }: ExpectedNode): NodeRecord | null =>
  after ?? (before === null ? null : (ended ?? null));

/** The nodes of which an app could read more of the past in what the proposal leaves of a node. */
function openedBy(
  view: AppView,
  { before, after, sources }: ExpectedNode & { after: NodeRecord },
  { past, moved }: NodesAfter,
): NodeRecord[] {
  // A merge alone leaves the past of its sources behind what hid it.
  const all = [...(before === null ? [] : [before]), ...sources.filter(({ id }) => moved.has(id))];
  return all.filter((one) => opensEarlier(view, { before: one, after }, past.states.get(one.id) ?? []));
}

/** The nodes whose past may be hidden otherwise once the proposal is applied. */
export const nodesWithPast = ({ nodes }: Expected, moved: ReadonlySet<string>): string[] =>
  nodes.flatMap((node) => {
    const { before, sources } = node;
    const after = lastOf(node);
    if (after === null) return [];
    const isMoved = before !== null && !isSame(standingOf(before), standingOf(after));
    return [...(isMoved ? [before] : []), ...sources.filter(({ id }) => moved.has(id))].map(({ id }) => id);
  });

function digestOf(shown: JsonObject, paths: readonly string[], opened: readonly NodeRecord[]): string {
  const names = [...new Set(paths.map((path) => path.split('.')[0] as string))].sort();
  const values = names.map((name) => [name, shown[name]]);
  const versions = opened.map(({ id, version }) => [id, version]);
  return createHash('sha256')
    .update(JSON.stringify([values, versions]))
    .digest('base64url');
}

/** Fields that the state itself consists of: the diff already shows their change. */
const CHANGED_BY_WORDS = { node_type: undefined, tags: undefined };

/** The fields by which rules judge a node. */
const standingOf = ({ node_type, tag_ids, schema_id }: NodeRecord): Partial<NodeRecord> => ({
  node_type,
  tag_ids,
  schema_id,
});

const reads = (access: Access, record: NodeRecord): boolean => sees(access.nodes.read, factsOf(record));
const namesIn = (shown: JsonObject): string[] => (shown['tags'] ?? []) as string[];
