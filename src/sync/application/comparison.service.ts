import { Injectable } from '@nestjs/common';
import { factsOf, NodePresenter, type NodeSnapshot } from '../../graph/index.js';
import { rest, type Slices } from '../../kernel/slices.js';
import {
  type Access,
  isShownWhole,
  type Moment,
  type PastAccess,
  PastAccesses,
} from '../../privacy/index.js';
import { causesOf, UNNAMED } from '../domain/causes.js';
import { type Creation, type Deletion, differing, type NodeEntry } from '../domain/change-entry.js';
import { type LoggedNode, type NodePresence, presenceOf } from '../domain/logged-node.js';
import { type Base, heldAt } from '../domain/replica.js';
import { LoggedNodesQueries } from '../infrastructure/logged-nodes.queries.js';
import { accessNow, type View } from './view.js';

/** A node as a client holds it and as it is now. */
interface NodeComparison {
  /** Null: the node did not exist yet. */
  held: LoggedNode | null;
  heldAt: Moment;
  now: LoggedNode;
}

interface NodeBatch {
  nodes: readonly LoggedNode[];
  /** The current state of each of them. */
  current: readonly LoggedNode[];
}

interface PreparedComparison extends NodeComparison {
  /** The access under which `held` was shown. */
  before: PastAccess | null;
}

/**
 * Compares "visible then" with "visible now" for some nodes. A node that is small now may have been large, and one that
 * was small when the pass began may be large now: states are read in parts of few bytes, and each part is compared
 * before the next one is read.
 */
@Injectable()
export class Comparison {
  constructor(
    private readonly logged: LoggedNodesQueries,
    private readonly pastAccesses: PastAccesses,
    private readonly presenter: NodePresenter,
  ) {}

  /**
   * The step for each node, in their order; null where a client has nothing to do. Nodes behind the last one that the
   * caller looks at are not read.
   * @param nodes each at its last change up to the end of the pass
   * @throws SERVICE_UNAVAILABLE when showing them takes longer than `slices` may
   */
  async *entries(
    view: View,
    base: Base | null,
    nodes: readonly LoggedNode[],
    { end, slices }: { end: number; slices: Slices },
  ): AsyncGenerator<NodeEntry | null> {
    for await (const batch of this.current(view, nodes, end)) {
      await this.presenter.stamp(
        view.access.access,
        batch.current.map(({ node }) => node),
        slices,
      );
      // Most pages are of first passes: nothing is held, so there is nothing to compare with.
      if (base === null) yield* this.creations(view, batch, slices);
      else yield* this.steps(view, base, { ...batch, slices });
    }
  }

  private async *creations(
    view: View,
    { current }: NodeBatch,
    slices: Slices,
  ): AsyncGenerator<Creation | null> {
    for (const now of current) {
      yield await this.creation(view, now, slices);
      await rest();
    }
  }

  private async *steps(
    view: View,
    base: Base,
    { nodes, current, slices }: NodeBatch & { slices: Slices },
  ): AsyncGenerator<NodeEntry | null> {
    const { ownerId } = view.viewer;
    const moments = await this.moments(ownerId, base, nodes);
    const isOlder = nodes.map(({ sequence }, place) => sequence > (moments[place] as Moment).changes);
    const asked = nodes.map(({ id }, place) => ({
      id,
      upTo: isOlder[place] === true ? (moments[place] as Moment).changes : 0,
    }));
    let from = 0;
    for await (const states of this.logged.states(ownerId, asked)) {
      const pairs = states.map((state, index): NodeComparison => {
        const place = from + index;
        const held = isOlder[place] === true ? state : (nodes[place] as LoggedNode);
        return { held, heldAt: moments[place] as Moment, now: current[place] as LoggedNode };
      });
      from += states.length;
      yield* this.stepsOf(view, pairs, slices);
    }
  }

  private async *stepsOf(
    view: View,
    pairs: readonly NodeComparison[],
    slices: Slices,
  ): AsyncGenerator<NodeEntry | null> {
    const compared = await this.withAccess(view, pairs);
    await this.stampHeld(compared);
    const endings = this.endings(
      view,
      compared.filter((pair) => isEnd(view, pair)),
    );
    for (const pair of compared) {
      const ending = isEnd(view, pair) ? ((await endings.next()).value ?? null) : null;
      yield await this.entry(view, pair, { ending, slices });
      await rest();
    }
  }

  /** Stamps the state that a client held, and the one it would hold now under the earlier rules, as shown then. */
  private async stampHeld(compared: readonly PreparedComparison[]): Promise<void> {
    const then = new Map<NodeSnapshot, Access>();
    for (const { held, now, before } of compared) {
      if (before === null) continue;
      if (held !== null) then.set(held.node, before.access);
      then.set(now.node, before.access);
    }
    await this.presenter.stampAll([...then.keys()], (node) => then.get(node) as Access);
  }

  /** Nodes that changed again during a pass are delivered in their current state. */
  private async *current(
    { viewer, now }: View,
    nodes: readonly LoggedNode[],
    end: number,
  ): AsyncGenerator<NodeBatch> {
    if (nodes.length === 0) return;
    if (now.changes <= end) {
      yield { nodes, current: nodes };
      return;
    }
    const asked = nodes.map(({ id }) => ({ id, after: end, upTo: now.changes }));
    let from = 0;
    for await (const states of this.logged.states(viewer.ownerId, asked)) {
      const part = nodes.slice(from, from + states.length);
      yield { nodes: part, current: part.map((node, index) => states[index] ?? node) };
      from += states.length;
    }
  }

  /** The moments at which a client received these nodes. */
  private async moments(ownerId: string, base: Base, nodes: readonly LoggedNode[]): Promise<Moment[]> {
    if (base.seams.length === 0) return nodes.map(() => base.end);
    const ids = nodes.map(({ id }) => id);
    const keys = await this.logged.keysIn(ownerId, ids, base);
    return ids.map((id) => {
      const key = keys.get(id);
      return key === undefined ? base.end : heldAt(base, key);
    });
  }

  private async withAccess(
    { viewer }: View,
    pairs: readonly NodeComparison[],
  ): Promise<PreparedComparison[]> {
    const keyOf = ({ heldAt: { changes, app } }: NodeComparison): string => `${changes} ${app}`;
    const moments = [...new Map(pairs.map((pair) => [keyOf(pair), pair.heldAt]))];
    const known = new Map<string, PastAccess | null>();
    for await (const { place, found } of this.pastAccesses.atEach(
      viewer,
      moments.map(([, moment]) => moment),
    ))
      known.set((moments[place] as [string, Moment])[0], found);
    return pairs.map((pair) => ({ ...pair, before: known.get(keyOf(pair)) ?? null }));
  }

  private async creation(view: View, now: LoggedNode, slices: Slices): Promise<Creation | null> {
    const { access } = view.access;
    if (presenceOf(now, access, view.scope) !== 'shown') return null;
    const node = await this.presenter.presentState(access, now.node, slices);
    const entry = { action: 'create', version: now.sequence, node, nodeVersion: node['version'] } as const;
    const changedAt = this.changedAt(view, now).toISOString();
    if (access.exposure.isIdentity) return { ...entry, timestamp: changedAt };
    const timestamp = access.exposure.transformValue('updated_at', changedAt, factsOf(now.node)) ?? null;
    return { ...entry, timestamp };
  }

  private async entry(view: View, compared: PreparedComparison, work: Work): Promise<NodeEntry | null> {
    const { slices } = work;
    const { held, now, before } = compared;
    const { access } = view.access;
    const presence = presenceOf(now, access, view.scope);
    const wasShown = presenceOf(held, before?.access ?? null, view.scope) === 'shown';
    if (presence !== 'shown') return wasShown ? this.deletion(view, compared, { presence, ...work }) : null;
    const node = await this.presenter.presentState(access, now.node, slices);
    const entry = { version: now.sequence, node, nodeVersion: node['version'] };
    if (!wasShown) {
      const timestamp = await this.timestamp(view, compared, { states: [now], slices });
      return { action: 'create', timestamp, ...entry };
    }
    const heldNode = (held as LoggedNode).node;
    const shown = await this.presenter.presentState((before as PastAccess).access, heldNode, slices);
    const changed = differing(shown, node);
    if (changed.length === 0) return null;
    return {
      action: 'update',
      timestamp: await this.timestamp(view, compared, { states: [now], slices }),
      ...entry,
      changedFields: changed.filter((field) => !UNNAMED.has(field)),
    };
  }

  private async deletion(
    view: View,
    compared: PreparedComparison,
    { presence, ending, slices }: Work & { presence: NodePresence },
  ): Promise<Deletion> {
    const { now, held } = compared;
    // A node loses its last tag in the very change that deletes it: the earlier states still decide the scope.
    const states = [now, held, ending?.last].filter((state) => state !== null && state !== undefined);
    const entry = {
      action: 'delete',
      timestamp: await this.timestamp(view, compared, { states, slices }),
      version: now.sequence,
      nodeId: now.id,
    } as const;
    const lost = { ...entry, deletedTitle: null } as const;
    const left = presence === 'deleted' ? (ending?.presence ?? 'hidden') : presence;
    if (left === 'elsewhere') return { ...lost, reason: 'scope_left' };
    if (left !== 'shown' || ending === null) return { ...lost, reason: 'access_removed' };
    return { ...entry, deletedTitle: await this.title(view, ending.last, slices), reason: 'deleted' };
  }

  /** The title under today's rules, which may hide a whole node that was deleted before they existed. */
  private async title(view: View, last: LoggedNode, slices: Slices): Promise<string | null> {
    const access = accessNow(view);
    if (presenceOf(last, access, view.scope) !== 'shown') return null;
    const { title } = await this.presenter.presentState(access, last.node, slices);
    return typeof title === 'string' ? title : null;
  }

  /** The endings of deleted nodes, in their order; each part is read when the caller takes its first. */
  private async *endings(
    view: View,
    deleted: readonly PreparedComparison[],
  ): AsyncGenerator<Ending | null, undefined> {
    const asked = deleted.map(({ now }) => ({ id: now.id, upTo: now.sequence - 1 }));
    let from = 0;
    for await (const states of this.logged.states(view.viewer.ownerId, asked, 'living')) {
      const part = deleted.slice(from, from + states.length);
      const presences = await this.presencesAtEnd(view, part, states);
      for (const [place, last] of states.entries())
        yield last === null ? null : { last, presence: presences[place] as NodePresence };
      from += states.length;
    }
  }

  /** The presence of each state at the deletion of its node, by the rules of then; 'hidden' for a missing state. */
  private async presencesAtEnd(
    { viewer, scope }: View,
    deleted: readonly PreparedComparison[],
    states: readonly (LoggedNode | null)[],
  ): Promise<NodePresence[]> {
    const ends = deleted.map(({ now: { sequence, changedAt: at } }) => ({ sequence, at }));
    const moments = await this.pastAccesses.momentsOf(viewer, ends);
    const presences = states.map((): NodePresence => 'hidden');
    for await (const { place, found } of this.pastAccesses.atEach(viewer, moments)) {
      const { at } = ends[place] as { at: Date };
      const isOver = found === null || (found.expiresAt !== null && found.expiresAt <= at);
      presences[place] = presenceOf(states[place] ?? null, isOver ? null : found.access, scope);
    }
    return presences;
  }

  /**
   * The time of the node's change, or of the rule's change if that caused the entry; as exact as the caller is shown
   * times.
   */
  private async timestamp(
    view: View,
    compared: PreparedComparison,
    { states, slices }: { states: readonly LoggedNode[]; slices: Slices },
  ): Promise<unknown> {
    const at = await this.causedAt(view, compared, slices);
    const facts = states.map(({ node }) => factsOf(node));
    return accessNow(view).exposure.transformValue('updated_at', at.toISOString(), facts) ?? null;
  }

  /**
   * The time of the node's last change that the caller is shown; later hidden changes do not show (rule 7.7d).
   */
  private changedAt({ access: { access } }: View, { node, changedAt }: LoggedNode): Date {
    return isShownWhole(access) ? changedAt : this.presenter.timeOf(access, node);
  }

  private async causedAt(view: View, compared: PreparedComparison, slices: Slices): Promise<Date> {
    const { now, before, heldAt: moment } = compared;
    const changedAt = this.changedAt(view, now);
    const seen = await this.seenOtherwise(view, compared, slices);
    if (seen !== null && seen.length === 0) return changedAt;
    const causes = await causesOf({ before, after: view.access }, now.node, seen);
    if (causes.length === 0) return changedAt;
    return newest(now.sequence <= moment.changes ? causes : [changedAt, ...causes]);
  }

  /** The fields of the present state that are shown otherwise than by the earlier rules; null: it came or went. */
  private async seenOtherwise(
    { access: { access }, scope }: View,
    { now, before }: PreparedComparison,
    slices: Slices,
  ): Promise<string[] | null> {
    if (before?.access === access) return [];
    const presence = presenceOf(now, access, scope);
    if (presenceOf(now, before?.access ?? null, scope) !== presence) return null;
    // No rule is the cause for a node that neither rules show.
    if (before === null || presence !== 'shown') return [];
    return differing(
      await this.presenter.presentState(before.access, now.node, slices),
      await this.presenter.presentState(access, now.node, slices),
    );
  }
}

/** The last living state of a deleted node, and its presence at the deletion. */
interface Ending {
  last: LoggedNode;
  presence: NodePresence;
}

interface Work {
  /** Null: the node is not deleted, or was not shown. */
  ending: Ending | null;
  slices: Slices;
}

/** True for a deleted node that was shown in the held state. */
const isEnd = ({ access: { access }, scope }: View, { held, before, now }: PreparedComparison): boolean =>
  presenceOf(now, access, scope) === 'deleted' && presenceOf(held, before?.access ?? null, scope) === 'shown';

const newest = (dates: readonly Date[]): Date =>
  dates.reduce((latest, date) => (date > latest ? date : latest));
