import { endOf, type LoggedStep, type LoggedThing } from '../../graph/index.js';
import { isSame } from '../../kernel/json/json-values.js';
import { rest, type Slices } from '../../kernel/slices.js';
import {
  type Access,
  type Moment,
  type PastAccess,
  type PastAccesses,
  type RuleDifference,
  seesEverything,
} from '../../privacy/index.js';
import { UNNAMED } from '../domain/causes.js';
import { differing, type PartEntry, type Reason, type WireThing } from '../domain/change-entry.js';
import { type NodePresence } from '../domain/logged-node.js';
import { type Base, beginPass, heldAt, type Pass } from '../domain/replica.js';
import { type Scope } from '../domain/scope.js';
import { type LoggedThings, type ThingKey } from '../infrastructure/logged-things.js';
import { type Feed, type Stage } from './feed.js';
import { accessNow, type View } from './view.js';

/** A kind of things beside nodes, and how a caller sees them. */
export interface PartKind<Thing extends LoggedThing> {
  entity: PartEntry['entity'];
  logged: LoggedThings<Thing>;
  /** @param access null: nothing was visible */
  presenceOf(thing: Thing | null, access: Access | null, scope: Scope): NodePresence;
  show(access: Access, thing: Thing, slices: Slices): Promise<WireThing>;
}

/** A thing as a client holds it, and as it is now. */
interface Compared<Thing> {
  held: Thing | null;
  /** The access under which `held` was shown. */
  before: PastAccess | null;
  now: Thing;
}

/** The most changes since a base that are read to find what they have touched; above, everything is visited. */
const FEW_CHANGES = 2_000;

/** The most things whose states one statement reads: the nodes of a relationship may be large, and are unpacked for it. */
const AT_ONCE = 32;

/**
 * The relationships or the tags of a replica (rule 7.13). A pass goes over all of them, from the first created one, and so
 * needs no start; those that nothing has touched since the base would have no entry and are passed over (ADR 84).
 */
export class PartFeed<Thing extends LoggedThing> implements Feed<ThingKey> {
  constructor(
    private readonly kind: PartKind<Thing>,
    private readonly pastAccesses: PastAccesses,
  ) {}

  begin({ now }: View, base: Base | null): Pass {
    return beginPass(base, now, { order: 'creation', isUnruled: false });
  }

  next(view: View, { base, pass, difference }: Stage, limit: number) {
    const { ownerId } = view.viewer;
    const isFew = base !== null && view.now.changes - base.end.changes <= FEW_CHANGES;
    const since = isFew && isUnruled(difference) ? base.end.changes : null;
    return this.kind.logged.next({ ownerId, pass, since, limit });
  }

  async *entries(
    view: View,
    { base }: Stage,
    { things, slices }: { things: readonly ThingKey[]; slices: Slices },
  ): AsyncGenerator<PartEntry | null> {
    for (let from = 0; from < things.length; from += AT_ONCE) {
      const some = things.slice(from, from + AT_ONCE);
      const compared = await this.compared(view, base, some);
      const endings = await this.endings(view, compared);
      for (const one of compared) {
        yield await this.entry(view, one, { ending: endings.get(one.now.id) ?? 'hidden', slices });
        await rest();
      }
    }
  }

  private async compared(
    { viewer, now }: View,
    base: Base | null,
    things: readonly ThingKey[],
  ): Promise<Compared<Thing>[]> {
    const { ownerId } = viewer;
    const current = await this.kind.logged.states(
      ownerId,
      things.map(({ id }) => ({ id, upTo: now.changes })),
    );
    // Keys are of first changes up to the moment, so that a state is always found.
    if (base === null) return current.map((state) => ({ held: null, before: null, now: state as Thing }));
    const moments = things.map(({ key }) => heldAt(base, { key, touched: key }));
    const held = await this.kind.logged.states(
      ownerId,
      things.map(({ id }, place) => ({ id, upTo: (moments[place] as Moment).changes })),
    );
    const accesses: (PastAccess | null)[] = things.map(() => null);
    for await (const { place, found } of this.pastAccesses.atEach(viewer, moments)) accesses[place] = found;
    return current.map((state, place) => ({
      held: held[place] ?? null,
      before: accesses[place] ?? null,
      now: state as Thing,
    }));
  }

  private async entry(
    view: View,
    compared: Compared<Thing>,
    { ending, slices }: { ending: NodePresence; slices: Slices },
  ): Promise<PartEntry | null> {
    const { held, before, now } = compared;
    const { access } = view.access;
    const presence = this.kind.presenceOf(now, access, view.scope);
    const wasShown = this.wasShown(view, compared);
    if (presence !== 'shown') {
      const left = presence === 'deleted' ? ending : presence;
      return wasShown ? this.deletion(view, now, left) : null;
    }
    const shown = await this.kind.show(access, now, slices);
    const entry = { ...this.step(view, now.steps[0]), id: now.id, shown };
    if (!wasShown || held === null || before === null) return { action: 'create', ...entry };
    const earlier = await this.kind.show(before.access, held, slices);
    if (isSame(earlier, shown)) return null;
    const changedFields = differing(earlier, shown).filter((field) => !UNNAMED.has(field));
    return { action: 'update', ...entry, changedFields };
  }

  /** @param left the presence of the thing when it left: just before its end, if it has ended */
  private deletion(view: View, now: Thing, left: NodePresence): PartEntry {
    const reason: Reason =
      left === 'elsewhere' ? 'scope_left' : left === 'shown' ? 'deleted' : 'access_removed';
    return { action: 'delete', ...this.step(view, endOf(now) ?? now.steps[0]), id: now.id, reason };
  }

  private wasShown({ scope }: View, { held, before }: Compared<Thing>): boolean {
    return this.kind.presenceOf(held, before?.access ?? null, scope) === 'shown';
  }

  /** The presence just before its end, by the rules of then, of each thing that has ended and was shown. */
  private async endings(
    view: View,
    compared: readonly Compared<Thing>[],
  ): Promise<ReadonlyMap<string, NodePresence>> {
    const { viewer, scope, access } = view;
    const ended = compared.flatMap((one) => {
      const end = endOf(one.now);
      const isEnd = this.kind.presenceOf(one.now, access.access, scope) === 'deleted';
      return end !== null && isEnd && this.wasShown(view, one) ? [{ id: one.now.id, end }] : [];
    });
    const presences = new Map<string, NodePresence>();
    if (ended.length === 0) return presences;
    const ends = ended.map(({ id, end: { sequence, at } }) => ({ id, upTo: sequence - 1, at }));
    const states = await this.kind.logged.states(viewer.ownerId, ends);
    const moments = await this.pastAccesses.momentsOf(
      viewer,
      ends.map(({ upTo: sequence, at }) => ({ sequence, at })),
    );
    for await (const { place, found } of this.pastAccesses.atEach(viewer, moments)) {
      const { id, at } = ends[place] as (typeof ends)[number];
      const isOver = found === null || (found.expiresAt !== null && found.expiresAt <= at);
      presences.set(id, this.kind.presenceOf(states[place] ?? null, isOver ? null : found.access, scope));
    }
    return presences;
  }

  /**
   * Position and time of a change are for callers from whom nothing is hidden: they move with every change, of hidden
   * nodes and fields, too (rule 3.14g). Others' entries are numbered later.
   */
  private step(view: View, { sequence, at }: LoggedStep) {
    const timestamp = seesEverything(accessNow(view)) ? at.toISOString() : null;
    return { entity: this.kind.entity, timestamp, version: sequence };
  }
}

const isUnruled = ({ isAboutAll, tags }: RuleDifference): boolean => !isAboutAll && tags.size === 0;
