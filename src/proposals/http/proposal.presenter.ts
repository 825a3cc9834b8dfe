import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Request } from 'express';
import {
  factsOf,
  type JsonObject,
  NodePresenter,
  type NodeSnapshot,
  NodesQueries,
  type WireNode,
} from '../../graph/index.js';
import { Names } from '../../identity/index.js';
import { rememberSource, Replays } from '../../kernel/http/idempotency.js';
import { type Slices } from '../../kernel/slices.js';
import { type Access, accessOf, type NodeFacts, sees, seesEverything } from '../../privacy/index.js';
import { proposalNotFound } from '../application/proposals.service.js';
import { type ApplyResult, shownErrors } from '../domain/apply-result.js';
import { type Proposal, proposalWire } from '../domain/proposal.js';
import { GraphChangesQueries } from '../infrastructure/graph-changes.queries.js';

/** The source of a replayed answer; with a version where the answer had an ETag. */
interface Source {
  wire: JsonObject;
  version?: number;
}

/** A node as a proposal made it, and its current facts. */
export interface MadeNode {
  state: NodeSnapshot;
  now: NodeFacts;
}

/**
 * Presents proposals. The app's own words are shown as they are; parts from the graph, errors and nodes, pass
 * through the viewer's current visibility and exposure.
 */
@Injectable()
export class ProposalPresenter implements OnModuleInit {
  constructor(
    private readonly nodes: NodesQueries,
    private readonly nodePresenter: NodePresenter,
    private readonly changes: GraphChangesQueries,
    private readonly names: Names,
    private readonly replays: Replays,
  ) {}

  onModuleInit(): void {
    const absent = proposalNotFound;
    const again =
      (form: (wire: JsonObject) => JsonObject) => async (request: unknown, sources: readonly Source[]) => {
        const wires = sources.map(({ wire }) => wire);
        const shown = await this.presentNamed(accessOf(request as Request), wires);
        return shown.map((wire, index) => ({ body: form(wire), etag: sources[index]?.version }));
      };
    this.replays.register<Source>('proposal', { present: again((wire) => wire), absent });
    for (const [kind, form] of Object.entries(OUTCOMES))
      this.replays.register<Source>(kind, { present: again(form), absent });
  }

  async present(access: Access, proposal: Proposal): Promise<JsonObject> {
    const wire = proposalWire(proposal);
    const [shown] = await this.presentNamed(access, [wire]);
    const source: Source = { wire, version: proposal.record.version };
    return rememberSource(shown as JsonObject, source, 'proposal');
  }

  /** The result of applying it, or of approving and applying it at once. */
  async presentOutcome(access: Access, proposal: Proposal, kind: Outcome): Promise<JsonObject> {
    const source: Source = { wire: proposalWire(proposal) };
    const [shown] = await this.presentAll(access, [source.wire]);
    return rememberSource(OUTCOMES[kind](shown as JsonObject), source, kind);
  }

  /** The same with the names beside their ids (rule 11.13): an app is not shown the name of its user. */
  async presentNamed(access: Access, wires: readonly JsonObject[]): Promise<JsonObject[]> {
    const idsOf = (field: string): string[] => wires.map((wire) => wire[field] as string);
    const app = await this.names.ofApps(idsOf('app_id'));
    const user = access.isOwner ? await this.names.people(idsOf('user_id')) : () => null;
    return (await this.presentAll(access, wires)).map((wire) => ({
      ...wire,
      app: app(wire['app_id'] as string),
      user: user(wire['user_id'] as string),
    }));
  }

  /** Proposals in wire form, from {@link proposalWire} or from the change log. */
  async presentAll(access: Access, wires: readonly JsonObject[]): Promise<JsonObject[]> {
    const named = wires.flatMap(({ result }) =>
      ((result as ApplyResult | null)?.errors ?? []).flatMap(({ node_ids = [] }) => node_ids),
    );
    const readable =
      access.isOwner || named.length === 0
        ? new Map<string, unknown>()
        : await this.nodes.readableFacts(access, named);
    const viewer = {
      isOwner: access.isOwner,
      canRead: (id: string) => readable.has(id),
      // A conflict of tags may concern hidden ones.
      showsPlainly: (field: string) =>
        !access.exposure.touches(field) && (field !== 'tags' || access.tags.discover.allowAll),
      seesEverything: seesEverything(access),
    };
    return wires.map(({ result, ...wire }) => {
      if (result === null || result === undefined) return { ...wire, result: null };
      const { errors, ...counts } = result as ApplyResult;
      return { ...wire, result: { ...counts, errors: shownErrors(errors, viewer) } };
    });
  }

  /** Nodes as proposals made them, by id: those that the viewer may read now and could read then. */
  async nodesMade(access: Access, ids: readonly string[], slices: Slices): Promise<Map<string, MadeNode>> {
    if (ids.length === 0) return new Map();
    const readable = await this.nodes.readableFacts(access, ids);
    const made = await this.changes.nodesMade(access.ownerId, [...readable.keys()]);
    const seen = [...made].filter(([, node]) => sees(access.nodes.read, factsOf(node)));
    await this.nodePresenter.stamp(
      access,
      seen.map(([, node]) => node),
      slices,
    );
    return new Map(seen.map(([id, state]) => [id, { state, now: readable.get(id) as NodeFacts }]));
  }

  async presentMade(access: Access, { state, now }: MadeNode, slices: Slices): Promise<WireNode> {
    await this.nodePresenter.preparePast(access, state, { now, slices });
    return this.nodePresenter.present(access, state, now);
  }
}

const OUTCOMES = {
  'applied proposal': ({ status, result }: JsonObject): JsonObject => ({ status, ...(result as object) }),
  // The user's own words are in the proposal; they must not cover that nothing was applied.
  'approved and applied proposal': ({ status, message, result }: JsonObject): JsonObject => ({
    status,
    message:
      status === 'APPLIED'
        ? (message ?? 'Proposal approved and applied')
        : 'Proposal approved, nothing applied',
    result,
  }),
};
type Outcome = keyof typeof OUTCOMES;
