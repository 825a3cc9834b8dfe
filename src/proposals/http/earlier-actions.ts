import { type Node } from '../../graph/index.js';
import { sizeOf } from '../../kernel/database/page-bytes.js';
import { type Access } from '../../privacy/index.js';
import { type ExpectedNodes, type Forecast } from '../application/expected-nodes.js';
import { EdgesSoFar } from '../domain/edge-steps.js';
import { namedNodes } from '../domain/named-things.js';
import { type Proposal } from '../domain/proposal.js';
import { type Step } from '../domain/proposal-content.js';

/** The bound on nodes that several actions change: beyond it, further actions are compared with the graph of now. */
const MOST_BYTES = 8_000_000;

const CHANGES_NODES: ReadonlySet<string> = new Set([
  'UPDATE_NODE',
  'ADD_TAGS',
  'REMOVE_TAGS',
  'DELETE_NODE',
  'MERGE_NODES',
]);

/** They may change which relationships a later merge deletes as duplicates. */
const CHANGES_EDGES: ReadonlySet<string> = new Set(['UPDATE_RELATIONSHIP', 'DELETE_RELATIONSHIP']);

const changedNodes = (step: Step): string[] => (CHANGES_NODES.has(step.type) ? namedNodes(step) : []);

/** Follows the actions of a proposal through the nodes that several of them change. */
export class EarlierActions {
  /** The states that the actions up to now leave. Null for an app, and beyond the bound. */
  forecast: Forecast | null;
  private readonly edgesSoFar = new EdgesSoFar();
  private readonly shared: ReadonlySet<string>;
  private readonly living = new Map<string, Node>();
  private bytes = 0;

  constructor(access: Access, proposal: Proposal, forecasts: ExpectedNodes) {
    this.forecast = access.isOwner ? forecasts.begin(access, proposal, this.living) : null;
    this.shared = sharedNodes(proposal.steps);
  }

  /** The relationships as the actions up to now leave them. Null where there is no forecast. */
  get edges(): EdgesSoFar | null {
    return this.forecast === null ? null : this.edgesSoFar;
  }

  async take(step: Step, nodes: ReadonlyMap<string, Node>): Promise<void> {
    const changed = changedNodes(step);
    if (!CHANGES_EDGES.has(step.type) && !changed.some((id) => this.shared.has(id))) return;
    for (const id of changed) {
      const node = nodes.get(id);
      if (node === undefined || this.living.has(id)) continue;
      this.living.set(id, node);
      this.bytes += sizeOf(node.record);
    }
    if (this.bytes > MOST_BYTES) this.forecast = null;
    const { forecast } = this;
    if (forecast === null) return;
    const taken = forecast.edgeSteps.length;
    await forecast.take(step);
    for (const one of forecast.edgeSteps.slice(taken)) this.edgesSoFar.take(one);
  }
}

/** An action, after the earlier ones that change its nodes, directly or through others, and those of relationships. */
export function withEarlier(steps: readonly Step[], step: Step): Step[] {
  const ids = new Set(changedNodes(step));
  const found = [step];
  for (const earlier of steps.slice(0, steps.indexOf(step)).reverse()) {
    const changed = changedNodes(earlier);
    if (!CHANGES_EDGES.has(earlier.type) && !changed.some((id) => ids.has(id))) continue;
    for (const id of changed) ids.add(id);
    found.unshift(earlier);
  }
  return found;
}

function sharedNodes(steps: readonly Step[]): Set<string> {
  const [seen, shared] = [new Set<string>(), new Set<string>()];
  for (const step of steps)
    for (const id of new Set(changedNodes(step))) (seen.has(id) ? shared : seen).add(id);
  return shared;
}
