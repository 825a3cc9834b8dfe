import { Injectable } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import { OwnerCounters } from '../../kernel/change-log/owner-counters.js';
import { sizeOf } from '../../kernel/database/page-bytes.js';
import { HeldRows } from '../../kernel/held-rows.js';
import { rest, type Slices } from '../../kernel/slices.js';
import { type Node, OwnerEdits, slicesOfShowing } from '../../graph/index.js';
import { type Access, Accesses, LivingAuthorizations, nameOfSight } from '../../privacy/index.js';
import { movedApart, namedNodes, stepsInParts } from '../domain/named-things.js';
import { type Proposal } from '../domain/proposal.js';
import { type Step } from '../domain/proposal-content.js';
import { EarlierStatesQueries } from '../infrastructure/earlier-states.queries.js';
import { type AppView, isTimeUp } from './app-view.js';
import { EdgeDisclosures, type EdgesShownAnew } from './edge-disclosures.service.js';
import { type ExpectedEdge } from './expected-edges.js';
import { type Expected, type ExpectedNode, ExpectedNodes } from './expected-nodes.js';
import {
  NodeDisclosures,
  type NodesAfter,
  type NodeShownAnew,
  nodesWithPast,
} from './node-disclosures.service.js';

/** The nodes and relationships that rules would newly show. */
interface ShownAnew extends EdgesShownAnew {
  nodes: NodeShownAnew[];
}

/** The nodes or edges that one app would newly see. */
export interface Disclosure extends ShownAnew {
  app: AuthorizedApp;
  isProposing: boolean;
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
interface Outcome extends Expected, NodesAfter {
  nodes: ExpectedNode[];
  edges: readonly ExpectedEdge[];
  /** The size of what is compared. */
  bytes: number;
  /** False if there is more than is compared. */
  isComplete: boolean;
}

interface AuthorizedApp {
  id: string;
  name: string;
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
    private readonly authorizations: LivingAuthorizations,
    private readonly accesses: Accesses,
    private readonly nodes: NodeDisclosures,
    private readonly edges: EdgeDisclosures,
    private readonly forecasts: ExpectedNodes,
    private readonly earlier: EarlierStatesQueries,
    private readonly counters: OwnerCounters,
    private readonly held: HeldRows,
  ) {}

  async of(owner: Access, proposal: Proposal): Promise<DisclosuresOf> {
    const { apps, total } = await this.authorizations.activeApps(owner.ownerId, {
      first: proposal.record.app_id,
      limit: MOST_BYTES / BYTES_OF_AN_APP,
    });
    const counters = await this.counters.current(apps.map(({ id }) => id));
    const policies = new Map(apps.map(({ id }) => [id, counters.get(id)?.policy ?? 0]));
    if (apps.length === 0) return { apps: [], policies, isComplete: true };
    const outcome = await this.outcomeOf(owner, proposal);
    if (outcome === null) return { apps: [], policies, isComplete: false };
    const found = await this.compared(proposal, apps, outcome);
    const isComplete = total <= apps.length && outcome.isComplete && found.isComplete;
    return { apps: found.apps, policies, isComplete };
  }

  /** Null where the nodes alone exceed the bound of one answer. */
  private async outcomeOf(owner: Access, proposal: Proposal): Promise<Outcome | null> {
    const living = await this.living(owner, proposal.approvedSteps);
    if (living === null) return null;
    const expected = await this.forecasts.of(owner, proposal, living);
    const { edges, ...held } = await this.edges.expected(owner, expected);
    const moved = movedApart(proposal.approvedSteps);
    const past = await this.earlier.of(owner.ownerId, nodesWithPast(expected, moved));
    const bytes = held.bytes + (await bytesOf(expected.nodes));
    return { ...expected, edges, past, moved, bytes, isComplete: held.isComplete && past.isComplete };
  }

  /** Compares apps one after the other, as far as time and room last; those with equal rules once. */
  private async compared(
    { record }: Proposal,
    apps: readonly AuthorizedApp[],
    outcome: Outcome,
  ): Promise<Pick<DisclosuresOf, 'apps' | 'isComplete'>> {
    const found: Disclosure[] = [];
    const known = new Map<string, ShownAnew>();
    const cost = Math.max(BYTES_OF_AN_APP, outcome.bytes);
    // Masks take this time of all apps together.
    const slices = slicesOfShowing();
    let spent = 0;
    for (const app of apps) {
      const access = await this.accesses.ofAbsentApp(app.id, record.owner_id);
      const rules = access === null ? '' : nameOfSight(access);
      let shown = access === null ? NOTHING : known.get(rules);
      spent += shown === undefined ? cost : BYTES_OF_AN_APP;
      if (spent > MOST_BYTES || isTimeUp(slices)) return { apps: found, isComplete: false };
      shown ??= await this.shownTo(access as Access, outcome, slices);
      known.set(rules, shown);
      const isProposing = app.id === record.app_id;
      if (isProposing || shown.nodes.length + shown.relationships + shown.relationshipTexts > 0)
        found.push({ app, isProposing, ...shown });
      // One app's share of a large proposal may take a while: other requests are served in between.
      await setImmediate();
    }
    return { apps: found, isComplete: [...known.values()].every(({ isComplete }) => isComplete) };
  }

  /** The living nodes that these steps name; null where they alone exceed the bound of one answer. */
  private async living(owner: Access, steps: readonly Step[]): Promise<Map<string, Node> | null> {
    const living = new Map<string, Node>();
    let bytes = 0;
    for (const part of stepsInParts(steps)) {
      const ids = part.flatMap(namedNodes);
      // Rows of any size are held while they are read; those that stay are bounded by their bytes.
      const nodes = await this.held.run(ids.length, () => this.edits.look(owner, ids));
      for (const [id, node] of nodes) {
        if (node.isDeleted || living.has(id)) continue;
        living.set(id, node);
        bytes += sizeOf(node.record);
        if (bytes > MOST_BYTES) return null;
        await rest();
      }
    }
    return living;
  }

  private async shownTo(access: Access, outcome: Outcome, slices: Slices): Promise<ShownAnew> {
    const view: AppView = { access, then: { ...access, vocabulary: outcome.vocabulary }, slices };
    const { nodes, readable, isComplete } = await this.nodes.shownTo(view, outcome);
    const made = outcome.newEdges.filter(({ from, to }) => readable.has(from) && readable.has(to));
    const existing = await this.edges.shownTo(view, outcome.edges);
    const news = new Set(outcome.nodes.flatMap(({ before, after }) => (before ? [] : [after?.id])));
    for (const ends of made.map(({ from, to }) => [from, to].map((id) => (news.has(id) ? '' : id))))
      existing.edges.set(ends.join(' '), '');
    const relationships = made.length + existing.relationships;
    return { nodes, ...existing, relationships, isComplete: isComplete && existing.isComplete };
  }
}

const NOTHING: ShownAnew = {
  nodes: [],
  relationships: 0,
  relationshipTexts: 0,
  edges: new Map(),
  isComplete: true,
};

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
