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
import { endOf, type LoggedStep, type LoggedThing } from '../domain/part-states.js';
import { type Base, beginPass, heldAt, type Pass } from '../domain/replica.js';
import { type Scope } from '../domain/scope.js';
import { type LoggedThings, type ThingKey } from '../infrastructure/logged-things.js';
import { type Feed, type Stage } from './feed.js';
import { type View } from './view.js';

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
      for (const compared of await this.compared(view, base, some)) {
        yield await this.entry(view, compared, slices);
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

  private async entry(view: View, compared: Compared<Thing>, slices: Slices): Promise<PartEntry | null> {
    const { held, before, now } = compared;
    const { access } = view.access;
    const presence = this.kind.presenceOf(now, access, view.scope);
    const wasShown = this.kind.presenceOf(held, before?.access ?? null, view.scope) === 'shown';
    if (presence !== 'shown') return wasShown ? this.deletion(view, now, presence) : null;
    const shown = await this.kind.show(access, now, slices);
    const entry = { ...this.step(view, now.steps[0]), id: now.id, shown };
    if (!wasShown || held === null || before === null) return { action: 'create', ...entry };
    const earlier = await this.kind.show(before.access, held, slices);
    if (isSame(earlier, shown)) return null;
    const changedFields = differing(earlier, shown).filter((field) => !UNNAMED.has(field));
    return { action: 'update', ...entry, changedFields };
  }

  private async deletion(view: View, now: Thing, presence: NodePresence): Promise<PartEntry> {
    const end = endOf(now);
    const left =
      presence === 'deleted' && end !== null ? await this.presenceBefore(view, now, end) : presence;
    const reason: Reason =
      left === 'elsewhere' ? 'scope_left' : left === 'shown' ? 'deleted' : 'access_removed';
    return { action: 'delete', ...this.step(view, end ?? now.steps[0]), id: now.id, reason };
  }

  /** The presence of a thing just before it ended, by the rules of then. */
  private async presenceBefore(
    { viewer, scope }: View,
    { id }: Thing,
    end: LoggedStep,
  ): Promise<NodePresence> {
    const upTo = end.sequence - 1;
    const [last] = await this.kind.logged.states(viewer.ownerId, [{ id, upTo }]);
    const [moment] = await this.pastAccesses.momentsOf(viewer, [{ sequence: upTo, at: end.at }]);
    const found = moment === undefined ? null : await this.pastAccesses.at(viewer, moment);
    const isOver = found === null || (found.expiresAt !== null && found.expiresAt <= end.at);
    return this.kind.presenceOf(last ?? null, isOver ? null : found.access, scope);
  }

  /**
   * Position and time of a change are for callers from whom nothing is hidden: they move with every change, of hidden
   * nodes and fields, too (rule 3.14g). Others' entries are numbered later.
   */
  private step({ access: { access } }: View, { sequence, at }: LoggedStep) {
    const timestamp = seesEverything(access) ? at.toISOString() : null;
    return { entity: this.kind.entity, timestamp, version: sequence };
  }
}

const isUnruled = ({ isAboutAll, tags }: RuleDifference): boolean => !isAboutAll && tags.size === 0;
