import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { OwnerCounters } from '../../kernel/change-log/owner-counters.js';
import { isSame } from '../../kernel/json/json-values.js';
import { sizeOf } from '../../kernel/database/page-bytes.js';
import { rest, type Slices } from '../../kernel/slices.js';
import {
  factsOf,
  type JsonObject,
  type Node,
  NodePresenter,
  type NodeRecord,
  OwnerEdits,
  slicesOfShowing,
  wireOf,
} from '../../graph/index.js';
import { type Access, Accesses, Authorizations, sees } from '../../privacy/index.js';
import { opensEarlier } from '../domain/earlier-states.js';
import { movedApart, namedNodes, stepsInParts } from '../domain/named-things.js';
import { type Proposal } from '../domain/proposal.js';
import { type Step } from '../domain/proposal-content.js';
import { newlyShownPaths, shownContentFields, unknownPaths } from '../domain/newly-shown.js';
import { type EarlierStates, EarlierStatesQueries } from '../infrastructure/earlier-states.queries.js';
import { type AppView, EdgeDisclosures, type EdgesShownAnew } from './edge-disclosures.service.js';
import { type ExpectedEdge } from './expected-edges.js';
import { type Expected, type ExpectedNode, ExpectedNodes } from './expected-nodes.js';

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

/** The nodes and relationships that one app would newly see. */
export interface Disclosure extends EdgesShownAnew {
  app: { id: string; name: string };
  isProposing: boolean;
  nodes: NodeShownAnew[];
}

export interface DisclosuresOf {
  /** The proposing app first, then the other apps that would see more. */
  apps: Disclosure[];
  /** The policy versions of all compared apps, read before they were compared. */
  policies: ReadonlyMap<string, number>;
  /** False if the comparison exceeds the cost limit of one answer. */
  isComplete: boolean;
}

/** The nodes and relationships after a proposal, to be compared for each app. */
interface Outcome extends Expected {
  edges: readonly ExpectedEdge[];
  past: EarlierStates;
  /** The nodes that actions other than merges change for rules. */
  moved: ReadonlySet<string>;
}

/** The bound on the comparison in one answer: bytes of what is shown to apps, and the least that one app counts. */
const MOST_BYTES = 8_000_000;
const BYTES_OF_AN_APP = 40_000;

/**
 * Finds the apps that a proposal would show more: compares, for each app that the user has authorized, the
 * access that the guard would give it before and after.
 */
@Injectable()
export class ProposalDisclosures {
  constructor(
    private readonly edits: OwnerEdits,
    private readonly authorizations: Authorizations,
    private readonly accesses: Accesses,
    private readonly presenter: NodePresenter,
    private readonly edges: EdgeDisclosures,
    private readonly forecasts: ExpectedNodes,
    private readonly earlier: EarlierStatesQueries,
    private readonly counters: OwnerCounters,
  ) {}

  async of(owner: Access, proposal: Proposal): Promise<DisclosuresOf> {
    const { apps, total } = await this.authorizations.activeApps(owner.ownerId, {
      first: proposal.record.app_id,
      limit: MOST_BYTES / BYTES_OF_AN_APP,
    });
    const counters = await this.counters.current(apps.map(({ id }) => id));
    const policies = new Map(apps.map(({ id }) => [id, counters.get(id)?.policy ?? 0]));
    if (apps.length === 0) return { apps: [], policies, isComplete: true };
    const living = await this.living(owner, proposal.approvedSteps);
    if (living === null) return { apps: [], policies, isComplete: false };
    const expected = await this.forecasts.of(owner, proposal, living);
    const { edges, ...held } = await this.edges.expected(owner, expected);
    const moved = movedApart(proposal.approvedSteps);
    const past = await this.earlier.of(owner.ownerId, nodesWithPast(expected, moved));
    const cost = Math.max(BYTES_OF_AN_APP, held.bytes + (await bytesOf(expected.nodes)));
    let spent = 0;
    let isComplete = total <= apps.length && held.isComplete && past.isComplete;
    const found: Disclosure[] = [];
    // Masks take this time of all apps together: others wait for the rows that this request holds.
    const slices = slicesOfShowing();
    for (const app of apps) {
      const isProposing = app.id === proposal.record.app_id;
      if (spent + cost > MOST_BYTES || slices.isHalfSpent)
        return { apps: found, policies, isComplete: false };
      const access = await this.accesses.ofAbsentApp(app.id, owner.ownerId);
      const shown =
        access === null ? NOTHING : await this.shownTo(access, { ...expected, edges, past, moved }, slices);
      if (isProposing || shown.nodes.length + shown.relationships + shown.relationshipTexts > 0)
        found.push({ app, isProposing, ...shown });
      isComplete &&= shown.isComplete;
      spent += cost;
      // One app's share of a large proposal may take a while: other requests are served in between.
      await setImmediate();
    }
    return { apps: found, policies, isComplete };
  }

  /** The living nodes that these steps name; null where they alone exceed the bound of one answer. */
  private async living(owner: Access, steps: readonly Step[]): Promise<Map<string, Node> | null> {
    const living = new Map<string, Node>();
    let bytes = 0;
    for (const part of stepsInParts(steps)) {
      for (const [id, node] of await this.edits.look(owner, part.flatMap(namedNodes))) {
        if (node.isDeleted || living.has(id)) continue;
        living.set(id, node);
        bytes += sizeOf(node.record);
        if (bytes > MOST_BYTES) return null;
        await rest();
      }
    }
    return living;
  }

  private async shownTo(
    access: Access,
    outcome: Outcome,
    slices: Slices,
  ): Promise<Omit<Disclosure, 'app' | 'isProposing'>> {
    const then: Access = { ...access, vocabulary: outcome.vocabulary };
    const view: AppView = { access, then, slices };
    const readable = new Set<string>();
    const nodes: NodeShownAnew[] = [];
    let isComplete = true;
    for (const node of outcome.nodes) {
      if (slices.isHalfSpent) {
        isComplete = false;
        break;
      }
      const after = lastOf(node);
      if (after === null || !reads(then, after)) continue;
      if (node.after !== null) readable.add(after.id);
      const opened = openedBy(view, { ...node, after }, outcome);
      nodes.push(...(await this.shownOf(view, { ...node, after, opened })));
    }
    const made = outcome.newEdges.filter(({ from, to }) => readable.has(from) && readable.has(to));
    const existing = await this.edges.shownTo(view, outcome.edges);
    const news = new Set(outcome.nodes.flatMap(({ before, after }) => (before ? [] : [after?.id])));
    for (const ends of made.map(({ from, to }) => [from, to].map((id) => (news.has(id) ? '' : id))))
      existing.edges.set(ends.join(' '), '');
    isComplete &&= existing.isComplete;
    return { nodes, ...existing, relationships: made.length + existing.relationships, isComplete };
  }

  private async shownOf(
    view: AppView,
    node: ExpectedNode & { after: NodeRecord; opened: readonly NodeRecord[] },
  ): Promise<NodeShownAnew[]> {
    const { before, after, opened } = node;
    const { access, then, slices } = view;
    const shown = await this.presenter.presentState(then, after, slices);
    const known = before !== null && reads(access, before);
    const fields = known
      ? [
          ...(await this.unmasked(view, before, { after, shown })),
          ...(await this.takenOver(view, { ...node, before, shown })),
        ]
      : shownContentFields(shown);
    if (known && fields.length === 0 && opened.length === 0) return [];
    const shownAnew = { title: after.title, newly_readable: !known, fields: [...new Set(fields)] };
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

/** The last state of a node: an app that may delete could restore one that the proposal ends, and read it. */
const lastOf = ({ before, after, ended }: ExpectedNode): NodeRecord | null =>
  after ?? (before === null ? null : (ended ?? null));

/** The nodes of which an app could read more of the past in what the proposal leaves of a node. */
function openedBy(
  view: AppView,
  { before, after, sources }: ExpectedNode & { after: NodeRecord },
  { past, moved }: Outcome,
): NodeRecord[] {
  // A merge alone leaves the past of its sources behind what hid it.
  const all = [...(before === null ? [] : [before]), ...sources.filter(({ id }) => moved.has(id))];
  return all.filter((one) => opensEarlier(view, { before: one, after }, past.states.get(one.id) ?? []));
}

/** The nodes whose past may be hidden otherwise once the proposal is applied. */
const nodesWithPast = ({ nodes }: Expected, moved: ReadonlySet<string>): string[] =>
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

const NOTHING = { nodes: [], relationships: 0, relationshipTexts: 0, edges: new Map(), isComplete: true };
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

/** The bytes of nodes before and after; more than the bound where they exceed it. Others are served in between. */
async function bytesOf(nodes: readonly ExpectedNode[]): Promise<number> {
  let bytes = 0;
  for (const node of nodes) {
    bytes += sizeOf(node);
    if (bytes > MOST_BYTES) break;
    await rest();
  }
  return bytes;
}
