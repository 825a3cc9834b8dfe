import { Injectable } from '@nestjs/common';
import {
  type AskedThing,
  type EdgeWithEnds,
  LoggedEdges,
  type LoggedEdge,
  LoggedTags,
  type LoggedTag,
  type LoggedThing,
  presentStandingOfEdge,
  presentStandingOfTag,
  shownEdge,
  shownTag,
  type Standing,
  standingOfEdge,
  standingOfTag,
  withEnds,
} from '../../graph/index.js';
import { isSame } from '../../kernel/json/json-values.js';
import { type Slices } from '../../kernel/slices.js';
import { type Access, PastAccesses, type ShownChanges, type ShownFacts } from '../../privacy/index.js';
import { type EventDecision } from '../domain/event-decision.js';
import { type Subscription } from '../domain/subscription.js';
import { type ThingEntity } from '../domain/events.js';
import { shownDifferences, thingDecision, type Possession } from '../domain/thing-events.js';
import { HeldThings } from '../infrastructure/held-things.queries.js';

type Shown = Record<string, unknown>;

/** A change that may be an event of a thing: its own, or for a relationship that of a node at its end. */
export interface ThingChange {
  entity: ThingEntity;
  entityId: string;
  sequence: number;
  changedAt: Date;
  /** True for a change of the thing itself. */
  isOwn: boolean;
}

/** The states of a thing around a change, and all that decides which event it is. */
export interface ThingStep<Thing extends LoggedThing = LoggedThing> extends ThingChange {
  before: Thing | null;
  after: Thing | null;
  present: Thing | null;
  held: Possession;
  /** The states whose nodes are not those of the present one, with what is known of their nodes now. */
  moved: { before?: Thing; after?: Thing };
  /** The access by whose rules the state before is judged; undefined: today's. */
  then?: Access | null;
}

interface Kind<Thing extends LoggedThing> {
  states(ownerId: string, asked: readonly AskedThing[]): Promise<(Thing | null)[]>;
  standing(thing: Thing | null, access: Access | null): Standing;
  /** The standing of what the nodes are now. */
  present(thing: Thing | null, access: Access): Standing;
  /** @param also other states, whose masks apply as well */
  show(access: Access, thing: Thing, also: readonly Thing[], slices: Slices): Promise<Shown>;
  /** The facts that masks of its time look at: each list applies behind the other. */
  masked(states: readonly Thing[]): ShownFacts[][];
}

const NOTHING_HELD: Possession = { mayHave: false, has: false };
const NOW = Number.MAX_SAFE_INTEGER;

/**
 * Events of relationships and tags (rule 9.4g). States, standings and shown forms are those of sync (ADR 87): a relationship
 * is readable where both its nodes are, so changes of its nodes are events of it, too.
 */
@Injectable()
export class ThingDecisions {
  private readonly kinds: Record<ThingEntity, Kind<LoggedThing>>;

  constructor(
    private readonly edges: LoggedEdges,
    tags: LoggedTags,
    private readonly holdings: HeldThings,
    private readonly pastAccesses: PastAccesses,
  ) {
    const kinds: { relationship: Kind<LoggedEdge>; tag: Kind<LoggedTag> } = {
      relationship: {
        states: (ownerId, asked) => edges.states(ownerId, asked),
        standing: standingOfEdge,
        present: presentStandingOfEdge,
        show: (access, edge, also, slices) =>
          shownEdge(access, withEnds(edge) as EdgeWithEnds, { now: also.flatMap(endsOf), slices }),
        masked: (states) => [states.flatMap(({ from }) => from ?? []), states.flatMap(({ to }) => to ?? [])],
      },
      tag: {
        states: (ownerId, asked) => tags.states(ownerId, asked),
        standing: standingOfTag,
        present: presentStandingOfTag,
        show: (access, { tag }, _, slices) => shownTag(access, tag, slices),
        masked: ([state]) =>
          state === undefined ? [] : [[{ id: `${state.id} updated_at`, tagIds: [state.id], nodeType: '' }]],
      },
    };
    this.kinds = kinds;
  }

  /** The steps of changes of one kind of thing. The states of relationships may be large: a caller asks for few. */
  async read(
    subscription: Pick<Subscription, 'ownerId' | 'id' | 'appId'>,
    changes: readonly ThingChange[],
  ): Promise<ThingStep[]> {
    const [first] = changes;
    if (first === undefined) return [];
    const { ownerId } = subscription;
    const asked = changes.flatMap(({ entityId: id, sequence }) =>
      [sequence - 1, sequence, NOW].map((upTo) => ({ id, upTo })),
    );
    const states = await this.kinds[first.entity].states(ownerId, asked);
    const ids = changes.map(({ entityId }) => entityId);
    const held = await this.holdings.of(subscription, ids);
    const steps = changes.map((change, place): ThingStep => {
      const [before = null, after = null, present = null] = states.slice(3 * place, 3 * place + 3);
      return {
        ...change,
        before,
        after,
        present,
        moved: {},
        held: held.get(change.entityId) ?? NOTHING_HELD,
      };
    });
    return first.entity === 'tag'
      ? this.withRulesOfThen(subscription, steps)
      : this.withMoved(ownerId, steps);
  }

  /** @returns null if the receiver may not know of the change */
  async decision(access: Access, step: ThingStep, slices: Slices): Promise<EventDecision | null> {
    const { entity, held, before, after, present } = step;
    const kind = this.kinds[entity];
    const then = step.then === undefined ? access : step.then;
    const isHiddenNow = (state?: LoggedThing) =>
      state !== undefined && kind.present(state, access) === 'hidden';
    const standings = {
      before: kind.standing(movedOn(before), then),
      after: isHiddenNow(step.moved.after) ? ('hidden' as const) : kind.standing(movedOn(after), access),
      present: kind.present(present, access),
    };
    // A loss names no node; an update names the nodes before, too.
    if (standings.after === 'shown' && isHiddenNow(step.moved.before)) standings.before = 'hidden';
    const isSeen = Object.values(standings).every((one) => one === 'shown');
    const changes = isSeen ? await this.changes(access, step, slices) : null;
    return thingDecision(entity, standings, { held, changes });
  }

  /** The data of the event. */
  async data(access: Access, step: ThingStep, { decision, slices }: Deciding): Promise<Shown> {
    const { entity, entityId: id, after, present } = step;
    const { reason, changes } = decision;
    if (after === null || present === null || reason !== undefined)
      return { id, [`${entity}_id`]: id, reason };
    const shown = await this.kinds[entity].show(access, after, movedOf(step, present), slices);
    return changes === undefined ? shown : { ...shown, changes };
  }

  /** The time of the change, as exact as the times of its nodes or of what carries the tag are shown. */
  time({ exposure }: Access, step: ThingStep): string {
    const shown = this.kinds[step.entity]
      .masked(statesOf(step))
      .reduce<unknown>(
        (time, facts) => (facts.length === 0 ? time : exposure.transformValue('updated_at', time, facts)),
        step.changedAt.toISOString(),
      );
    return typeof shown === 'string' ? shown : new Date(0).toISOString();
  }

  /** Ids of all whose changes may change the event: the thing and its nodes. */
  namedIn(step: ThingStep): string[] {
    const facts = this.kinds[step.entity].masked(statesOf(step)).flat();
    const ends = step.entity === 'relationship' ? facts.map(({ id }) => id) : [];
    return [...new Set([step.entityId, ...ends])];
  }

  /** The fields that are shown otherwise; null: none, and no other version either. */
  private async changes(access: Access, step: ThingStep, slices: Slices): Promise<ShownChanges | null> {
    const kind = this.kinds[step.entity];
    const [before, after, present] = [step.before, step.after, step.present] as LoggedThing[] as [
      LoggedThing,
      LoggedThing,
      LoggedThing,
    ];
    // A value is named only where no mask of either state or of today concerns it.
    const old = await kind.show(access, before, movedOf(step, after, present), slices);
    const next = await kind.show(access, after, movedOf(step, before, present), slices);
    if (!isSame(old, next)) return shownDifferences(old, next);
    // A change of the thing itself would be revealed; one of a node's facts puts a mask on or takes it off.
    if (step.isOwn) return null;
    const isAlike = isSame(
      await kind.show(access, before, [], slices),
      await kind.show(access, after, [], slices),
    );
    return isAlike ? null : {};
  }

  /** Nodes that a merge has left behind, or will, are judged as they are now as well. */
  private async withMoved(ownerId: string, steps: readonly ThingStep[]): Promise<ThingStep[]> {
    const edges = steps as readonly ThingStep<LoggedEdge>[];
    const facts = await this.edges.endsNow(
      ownerId,
      edges.flatMap((step) => movedStates(step).flatMap(nodesOf)),
    );
    const now = (state: LoggedEdge): LoggedEdge => {
      const [from, to] = nodesOf(state).map((id) => facts.get(id) ?? null);
      return { ...state, from: from ?? null, to: to ?? null };
    };
    return edges.map((step) => {
      const { before, after } = step;
      const states = movedStates(step);
      const moved = {
        ...(before !== null && states.includes(before) ? { before: now(before) } : {}),
        ...(after !== null && states.includes(after) ? { after: now(after) } : {}),
      };
      return { ...step, moved };
    });
  }

  /** A deleted tag is granted by no rule any longer: the rules just before its end decide, as in sync. */
  private async withRulesOfThen(
    { ownerId, appId }: Pick<Subscription, 'ownerId' | 'appId'>,
    steps: readonly ThingStep[],
  ): Promise<ThingStep[]> {
    const judged = [...steps];
    const ended = steps.flatMap((step, place) =>
      step.after?.steps[0].isGone === true
        ? [{ place, sequence: step.sequence - 1, at: step.changedAt }]
        : [],
    );
    const viewer = { ownerId, appId };
    const moments = await this.pastAccesses.momentsOf(viewer, ended);
    for await (const { place, found } of this.pastAccesses.atEach(viewer, moments)) {
      const { place: of, at } = ended[place] as (typeof ended)[number];
      const isOver = found === null || (found.expiresAt !== null && found.expiresAt <= at);
      judged[of] = { ...(judged[of] as ThingStep), then: isOver ? null : found.access };
    }
    return judged;
  }
}

interface Deciding {
  decision: EventDecision;
  slices: Slices;
}

const endsOf = (edge: LoggedEdge): Pick<EdgeWithEnds, 'from' | 'to'>[] => {
  const whole = withEnds(edge);
  return whole === null ? [] : [whole];
};

const statesOf = ({ before, after, present, moved }: ThingStep): LoggedThing[] =>
  [after, present, before, moved.after, moved.before].filter(
    (state) => state !== null && state !== undefined,
  );

const nodesOf = ({ edge }: LoggedEdge): string[] => [edge.from_node_id, edge.to_node_id];

/** The states around a change whose nodes are not those of the present one. */
const movedStates = ({ before, after, present }: ThingStep<LoggedEdge>): LoggedEdge[] =>
  [before, after].filter(
    (state) => state !== null && present !== null && !isSame(nodesOf(state), nodesOf(present)),
  ) as LoggedEdge[];

/** States whose masks apply as well, with the nodes that they had. */
const movedOf = ({ moved }: ThingStep, ...states: LoggedThing[]): LoggedThing[] => [
  ...states,
  ...Object.values(moved),
];

/**
 * The state with the nodes that were merged into others as if they lived: their relationships move in the same transaction,
 * by changes of their own, so that nobody sees them gone.
 */
function movedOn(thing: LoggedThing | null): LoggedThing | null {
  if (thing === null || !thing.steps.some(({ isMerged }) => isMerged)) return thing;
  const [own, ...others] = thing.steps;
  const living = others.map((step) => (step.isMerged === true ? { ...step, isGone: false } : step));
  return { ...thing, steps: [own, ...living] };
}
