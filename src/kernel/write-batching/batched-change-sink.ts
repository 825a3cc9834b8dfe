import type pg from 'pg';
import { type Config } from '../../config/config.js';
import { type RecordedChange } from '../change-log/change.js';
import { type ChangeBuffer, type ExpectedCounter } from '../change-log/change-buffer.js';
import { type ChangeFollowers } from '../change-log/change-followers.js';
import { ChangeSink, type DoneUnit } from '../change-log/change-sink.js';
import { changeRow } from '../change-log/changes-table.js';
import { ConcurrentChange } from '../change-log/concurrent-change.js';
import { reserveOf } from '../change-log/growth.js';
import { inLockingOrder } from '../change-log/locking-order.js';
import { type Counted, QuotaChecks } from '../change-log/quota-statements.js';
import { type Clock } from '../clock.js';
import { jsonPart } from '../database/json-part.js';
import { type Sql } from '../database/sql.js';
import { type DeferredWrite, toQuery } from '../database/transaction.js';
import { type BatchableFollowUp, type BatchableWrite } from './batchable-write.js';
import { ChangeStatements, lockOf, type Piggyback, policyStatement } from './change-statements.js';
import { GroupCommit, type SharedUnit } from './group-commit.js';
import { JointStatements, LEAST_OWNERS, type OwnersPart } from './joint-statements.js';
import { type PreparedFollowUp, withPayloadText } from './payload-text.js';

/** The changes of an owner that the last statement writes. */
interface LastPart {
  json: string;
  /** The {@link reserveOf} all changes of the owner. */
  reserve: number | null;
}

/** A unit that is being written: the ids of its counters in their order, its time, and its deferred writes. */
interface Ending {
  readonly ids: readonly string[];
  readonly at: Date;
  readonly deferred: DeferredWrite[];
  readonly lasts: Map<string, LastPart>;
}

interface Circumstances {
  readonly ending: Ending;
  readonly followUps: ReadonlyMap<string, readonly PreparedFollowUp[]>;
  readonly piggyback: Piggyback | null;
}

/**
 * Writes a unit's changes with one statement for each owner (see ChangeStatements), in the order in which counters are
 * locked (inLockingOrder). A single deferred write goes into the first of these statements; the counter is locked after
 * it, so that the owner's other writers wait only for the commit, unless the unit expects a value of the counter. A unit
 * that is one new row and its change shares a statement with others (see GroupCommit), and many owners with one plain
 * change each share statements (see JointStatements). Changes of several MiB are written in parts, so that neither the
 * event loop nor the memory bears them all at once (rule 11.9g).
 */
export class BatchedChangeSink extends ChangeSink {
  private readonly statements: ChangeStatements;
  private readonly joint: JointStatements;
  private readonly groups: GroupCommit;

  constructor(
    private readonly clock: Clock,
    private readonly followers: ChangeFollowers,
    config: Pick<Config, 'quotas' | 'defaultTier'>,
  ) {
    super();
    const checks = new QuotaChecks(config);
    this.statements = new ChangeStatements(checks);
    this.joint = new JointStatements(checks);
    this.groups = new GroupCommit(checks);
  }

  async flush({ transaction, buffer }: DoneUnit): Promise<Counted[]> {
    const { owners, policies, amounts, expected } = buffer;
    const ids = inLockingOrder([...owners.keys(), ...policies, ...amounts.keys()]);
    const deferred = transaction.takeDeferred();
    const ending: Ending = { ids, at: this.clock.now(), deferred, lasts: new Map() };
    if (isOfMany(owners)) await this.sendParts({ transaction, buffer }, ending);
    const following = new Map<string, readonly BatchableFollowUp[]>();
    for (const [id, recorded] of owners) following.set(id, await this.followers.of(recorded));
    const isAlone = ids.length === 1 && deferred.length === 1;
    if (isAlone && policies.size === 0 && amounts.size === 0 && expected === null) {
      const [[id, recorded]] = [...owners] as [[string, RecordedChange[]]];
      const shared = sharedUnit(deferred[0] as DeferredWrite, recorded, {
        at: ending.at,
        following: following.get(id) ?? [],
      });
      const send = shared && transaction.detach();
      const counted = send && (await this.groups.write(shared, send));
      if (counted !== null) return [counted];
    }
    const statements = await this.lastStatements(buffer, ending, await prepared(owners, following));
    const hasChanges = owners.size > 0;
    // The statements hold everything as text now. Kept until the statements end, the objects would burden every garbage
    // collection.
    owners.clear();
    following.clear();
    const counted = await transaction.sendLast<Counted>(statements);
    if (hasChanges && expected !== null && !counted.some(({ id }) => id === expected.ownerId))
      throw new ConcurrentChange();
    return counted;
  }

  /**
   * Serializes the changes of each owner who has several, and sends all but the last part of them, after the deferred
   * writes: rows of followers may refer to those. The last part remains in the buffer.
   */
  private async sendParts({ transaction, buffer }: DoneUnit, ending: Ending): Promise<void> {
    const { owners, expected } = buffer;
    const { ids, at, deferred, lasts } = ending;
    let isBegun = false;
    for (const id of ids) {
      const all = owners.get(id);
      if (all === undefined || all.length < 2) continue;
      const reserve = reserveOf(all.map(({ change }) => change));
      const atLeast = expected === null ? endOfTied(all) : all.length;
      const formOf = (entry: RecordedChange, position: number) => changeRow(entry, position + 1);
      for (let from = 0; !lasts.has(id);) {
        const { json, end } = await jsonPart(all, { from, formOf, atLeast });
        const part = all.slice(from, end);
        if (end === all.length) {
          lasts.set(id, { json, reserve });
          owners.set(id, part);
        } else {
          if (!isBegun)
            for (const first of [...deferred.splice(0).map(toQuery), lockOf(ids)])
              await transaction.send(first);
          isBegun = true;
          await transaction.send(
            this.statements.ofChanges({
              ownerId: id,
              recorded: part,
              json,
              at,
              reserve,
              policy: 0,
              amounts: undefined,
              following: await withPayloadText(await this.followers.of(part)),
              piggyback: null,
              expected: null,
            }),
          );
        }
        from = end;
      }
    }
  }

  private async lastStatements(
    buffer: ChangeBuffer,
    ending: Ending,
    followUps: ReadonlyMap<string, readonly PreparedFollowUp[]>,
  ): Promise<pg.QueryConfig[]> {
    const { owners, expected } = buffer;
    const { ids, at, deferred } = ending;
    const piggyback = takePiggyback(deferred, { recorded: owners.get(ids[0] as string), expected });
    const counters: pg.QueryConfig[] = [];
    const run: OwnersPart[] = [];
    const endRun = async (): Promise<void> => {
      const parts = run.splice(0);
      if (parts.length >= LEAST_OWNERS) counters.push(...(await this.joint.of(parts, at)));
      else
        for (const { ownerId } of parts)
          counters.push(this.ofOwner(ownerId, buffer, { ending, followUps, piggyback }));
    };
    for (const [index, id] of ids.entries()) {
      const part =
        index === 0 && piggyback !== null ? null : this.jointPart(id, buffer, { ending, followUps });
      if (part !== null) run.push(part);
      else {
        await endRun();
        counters.push(this.ofOwner(id, buffer, { ending, followUps, piggyback }));
      }
    }
    await endRun();
    return [...deferred.splice(0).map(toQuery), ...counters];
  }

  /** The part of an owner with one plain change at most, which can share a statement; null for any other. */
  private jointPart(
    id: string,
    { owners, policies, amounts, expected }: ChangeBuffer,
    { ending, followUps }: Pick<Circumstances, 'ending' | 'followUps'>,
  ): OwnersPart | null {
    const recorded = owners.get(id) ?? [];
    if (recorded.length > 1 || amounts.has(id) || ending.lasts.has(id) || expected?.ownerId === id)
      return null;
    const part: OwnersPart = {
      ownerId: id,
      policy: policies.has(id) ? 1 : 0,
      recorded: recorded[0] ?? null,
      reserve: reserveOf(recorded.map(({ change }) => change)),
      following: (followUps.get(id) ?? []) as readonly BatchableFollowUp[],
    };
    return this.joint.canJoin(part) ? part : null;
  }

  private ofOwner(
    id: string,
    { owners, policies, amounts, expected }: ChangeBuffer,
    { ending: { ids, at, lasts }, followUps, piggyback }: Circumstances,
  ): pg.QueryConfig {
    const recorded = owners.get(id);
    const policy = policies.has(id) ? 1 : 0;
    if (recorded === undefined)
      return amounts.has(id) ? this.statements.ofAmounts(id, policy, amounts.get(id)) : policyStatement(id);
    const last = lasts.get(id);
    return this.statements.ofChanges({
      ownerId: id,
      recorded,
      json: last?.json ?? null,
      at,
      reserve: last ? last.reserve : reserveOf(recorded.map(({ change }) => change)),
      policy,
      amounts: amounts.get(id),
      following: followUps.get(id) ?? [],
      piggyback: id === ids[0] ? piggyback : null,
      expected: expected?.ownerId === id ? expected : null,
    });
  }
}

/** The follow-ups of each owner; payloads of several changes can be long and are serialized in slices. */
async function prepared(
  owners: ChangeBuffer['owners'],
  following: ReadonlyMap<string, readonly BatchableFollowUp[]>,
): Promise<Map<string, readonly PreparedFollowUp[]>> {
  const all = new Map<string, readonly PreparedFollowUp[]>();
  for (const [id, followUps] of following)
    all.set(id, owners.get(id)?.length === 1 ? followUps : await withPayloadText(followUps));
  return all;
}

/**
 * Takes the deferred write that goes into the first statement. With an expected counter, only a write whose rows are in
 * the changes can go there: any other would be written whatever the counter is.
 */
function takePiggyback(
  deferred: DeferredWrite[],
  {
    recorded,
    expected,
  }: { recorded: readonly RecordedChange[] | undefined; expected: ExpectedCounter | null },
): Piggyback | null {
  const [only] = deferred;
  if (only === undefined || deferred.length > 1 || recorded === undefined) return null;
  const fromChanges = derivedFromChanges(only, recorded);
  if (fromChanges === null && expected !== null) return null;
  deferred.pop();
  return fromChanges === null
    ? { name: only.name, statement: only.statement }
    : { name: `${only.name}-copy`, statement: fromChanges };
}

/**
 * Replaces a deferred write whose rows are all in the changes, one each, by a statement that reads them from there, so
 * that they are not sent twice.
 */
function derivedFromChanges(
  { derivableFromChange: derivable }: BatchableWrite,
  recorded: readonly RecordedChange[],
): Sql | null {
  const isInChanges = ({ change: { entity, action, entityId } }: RecordedChange) =>
    entity === derivable?.entity && action === 'created' && derivable.ids.has(entityId);
  return derivable?.ids.size === recorded.length && recorded.every(isInChanges) ? derivable.statement : null;
}

const isOfMany = (owners: ChangeBuffer['owners']): boolean => {
  for (const recorded of owners.values()) if (recorded.length > 1) return true;
  return false;
};

/** The index behind the changes that followers must see in one statement: merges of nodes, and their undo. */
const endOfTied = (recorded: readonly RecordedChange[]): number =>
  recorded.findLastIndex(
    ({ change }) => change.livesOnIn !== undefined || typeof change.takesBack === 'number',
  ) + 1;

/** The part of a unit in a statement that several units share; null if it cannot share one. */
function sharedUnit(
  { name, shared }: BatchableWrite,
  recorded: readonly RecordedChange[],
  { at, following }: { at: Date; following: readonly BatchableFollowUp[] },
): SharedUnit | null {
  const [only] = recorded;
  if (only === undefined || recorded.length > 1 || shared === undefined) return null;
  if (following.some((followUp) => followUp.shared === undefined)) return null;
  const fullName = ['changes:shared', name, ...following.map((followUp) => followUp.name)].join(':');
  return {
    ownerId: only.change.ownerId,
    at,
    name: fullName,
    row: shared,
    change: changeRow(only, 1),
    following,
  };
}
