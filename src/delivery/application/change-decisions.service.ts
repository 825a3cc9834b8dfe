import { Injectable, Logger } from '@nestjs/common';
import { slicesWithoutEnd } from '../../graph/index.js';
import { type Access } from '../../privacy/index.js';
import { type EventDecision } from '../domain/event-decision.js';
import { type EventEntity } from '../domain/events.js';
import { type EdgePlace, type Subscription, targetsOf, wantedEntities } from '../domain/subscription.js';
import { movesEdges } from '../domain/thing-events.js';
import { type LoggedChange } from '../infrastructure/logged-changes.queries.js';
import { TouchedEdges } from '../infrastructure/touched-edges.queries.js';
import { EventDecisions } from './event-decisions.service.js';
import { type ThingChange, ThingDecisions, type ThingStep } from './thing-decisions.service.js';

/** The most things whose states are read at a time: those of relationships may be large. */
const AT_ONCE = 32;
/** The most rows of a list of relationships looked at in one statement. */
const LOOK_AT = 500;

/** A decision, and the entity that the event is about. */
export interface DecidedEvent {
  sequence: number;
  entityId: string;
  decision: EventDecision;
}

/** A pause within a page, at which it may end. */
export interface Pause {
  sequence: number;
  /** The place reached in the relationships of the changed node; null: all were looked at. */
  expansion: EdgePlace | null;
  /** The number of relationships looked at since the last pause. */
  looked: number;
}

interface Page {
  subscription: Subscription;
  access: Access;
  changes: readonly LoggedChange[];
}

/** Decides which events the changes of a page are for one receiver, in the order of the changes. */
@Injectable()
export class ChangeDecisions {
  private readonly logger = new Logger('deliveries');

  constructor(
    private readonly decisions: EventDecisions,
    private readonly things: ThingDecisions,
    private readonly edges: TouchedEdges,
  ) {}

  /** @param from the place at which the first change was left; null: the page begins with a new change */
  async *on(page: Page, from: EdgePlace | null): AsyncGenerator<DecidedEvent | Pause> {
    const { subscription, access, changes } = page;
    const wanted = wantedEntities(subscription);
    /** Entities that events of this page are about, and whether the receiver then has them. */
    const held = new Map<string, boolean>();
    const ahead = new StepsAhead(this.things, page);
    for (const [place, change] of changes.entries()) {
      const resumed = from !== null && from.sequence === change.sequence ? from : null;
      if (resumed === null && wanted.has(change.entity)) {
        const isThing = change.entity === 'relationship' || change.entity === 'tag';
        const step = isThing ? await ahead.at(place) : null;
        const decision = await this.judged(change, () =>
          step === null
            ? this.decisions.of(subscription, access, withHeld(change, held))
            : this.things.decision(access, withHeldThing(step, held), slicesWithoutEnd()),
        );
        yield* this.event(subscription, held, { ...change, decision });
      }
      if (change.entity === 'node' && wanted.has('relationship') && movesEdges(access, change))
        yield* this.ofEdges(page, { change, from: resumed }, held);
    }
  }

  /** Events of the relationships of a changed node, some at a time. */
  private async *ofEdges(
    { subscription, access }: Page,
    { change, from }: { change: LoggedChange; from: EdgePlace | null },
    held: Map<string, boolean>,
  ): AsyncGenerator<DecidedEvent | Pause> {
    const { sequence, entityId: nodeId, changedAt } = change;
    for (let place = from; ;) {
      const part = await this.edges.next(subscription, { sequence, nodeId }, { from: place, limit: LOOK_AT });
      const { edges, rest } = part;
      for (let at = 0; at < edges.length; at += AT_ONCE) {
        const some = edges.slice(at, at + AT_ONCE);
        const steps = await this.things.read(
          subscription,
          some.map(({ id: entityId }) => {
            return { entity: 'relationship', entityId, sequence, changedAt, isOwn: false };
          }),
        );
        for (const step of steps) {
          const decision = await this.judged(change, () =>
            this.things.decision(access, withHeldThing(step, held), slicesWithoutEnd()),
          );
          yield* this.event(subscription, held, { ...step, decision });
        }
        const isLast = at + some.length === edges.length;
        yield { sequence, expansion: isLast ? rest : (some.at(-1)?.place ?? null), looked: some.length };
      }
      // Rows without any relationship to judge take time, too.
      if (edges.length === 0 && rest !== null) yield { sequence, expansion: rest, looked: AT_ONCE };
      if (rest === null) return;
      place = rest;
    }
  }

  private *event(
    subscription: Subscription,
    held: Map<string, boolean>,
    { sequence, entityId, decision }: Omit<DecidedEvent, 'decision'> & { decision: EventDecision | null },
  ): Generator<DecidedEvent> {
    if (decision === null || targetsOf(subscription, decision.event).length === 0) return;
    if (decision.hasNodeAfter !== undefined) held.set(entityId, decision.hasNodeAfter);
    yield { sequence, entityId, decision };
  }

  /** Skips a change that cannot be judged: it would block everything after it. */
  private async judged(
    { sequence }: LoggedChange,
    judge: () => Promise<EventDecision | null>,
  ): Promise<EventDecision | null> {
    try {
      return await judge();
    } catch (error) {
      this.logger.error({ err: error, sequence }, 'a change cannot be judged; it makes no event');
      return null;
    }
  }
}

/** The steps of the relationships and tags among the changes of a page, read in parts when they are needed. */
class StepsAhead {
  private steps = new Map<number, ThingStep>();

  constructor(
    private readonly things: ThingDecisions,
    private readonly page: Page,
  ) {}

  async at(place: number): Promise<ThingStep> {
    const { subscription, changes } = this.page;
    if (!this.steps.has(place)) {
      const { entity } = changes[place] as LoggedChange;
      const next = [...changes.entries()]
        .filter(([at, change]) => at >= place && change.entity === entity)
        .slice(0, AT_ONCE);
      const read = await this.things.read(
        subscription,
        next.map(([, change]) => ownChange(change)),
      );
      // Steps of the other kind stay: their places may be ahead.
      for (const at of this.steps.keys()) if (at < place) this.steps.delete(at);
      for (const [index, [at]] of next.entries()) this.steps.set(at, read[index] as ThingStep);
    }
    return this.steps.get(place) as ThingStep;
  }
}

const ownChange = ({ entity, entityId, sequence, changedAt }: LoggedChange): ThingChange => ({
  entity: entity as Extract<EventEntity, 'relationship' | 'tag'>,
  entityId,
  sequence,
  changedAt,
  isOwn: true,
});

function withHeld(change: LoggedChange, held: ReadonlyMap<string, boolean>): LoggedChange {
  const isHeld = held.get(change.entityId);
  return isHeld === undefined ? change : { ...change, mayHaveNode: isHeld, hasNode: isHeld };
}

function withHeldThing(step: ThingStep, held: ReadonlyMap<string, boolean>): ThingStep {
  const isHeld = held.get(step.entityId);
  return isHeld === undefined ? step : { ...step, held: { mayHave: isHeld, has: isHeld } };
}
