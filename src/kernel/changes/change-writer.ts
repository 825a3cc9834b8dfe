import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { type LaterWrite } from '../persistence/database.js';
import { Clock } from '../clock.js';
import { DomainError } from '../errors/domain-error.js';
import { isOwnerGone } from '../persistence/violations.js';
import { type Actor } from '../request-context.js';
import { agentOf, ChangeFollowers, type RecordedChange as Recorded } from './change-followers.js';
import { type Change } from './change-log.js';
import { CHANGES_INSERT, CHANGES_RECORD, CHANGES_SELECT } from './changes-table.js';
import { GroupCommit, type SendAlone, type SharedUnit } from './group-commit.js';

/** The changes of one unit of work, by the owner whose counter numbers them. */
export interface ChangeBuffer {
  readonly owners: Map<string, Recorded[]>;
  readonly policies: Set<string>;
  add(change: Change, actor: Actor): void;
  touch(id: string): void;
  /** Gives a function that takes back all that was added after this moment. */
  mark(): () => void;
}

export function newBuffer(): ChangeBuffer {
  const owners = new Map<string, Recorded[]>();
  const policies = new Set<string>();
  return {
    owners,
    policies,
    add(change, actor) {
      const list = owners.get(change.ownerId);
      if (list) list.push({ change, actor });
      else owners.set(change.ownerId, [{ change, actor }]);
    },
    touch: (id) => void policies.add(id),
    mark() {
      const lengths = new Map([...owners].map(([id, list]) => [id, list.length]));
      const touched = new Set(policies);
      return () => {
        for (const [id, list] of owners) list.length = lengths.get(id) ?? 0;
        for (const [id, list] of owners) if (list.length === 0) owners.delete(id);
        for (const id of policies) if (!touched.has(id)) policies.delete(id);
      };
    },
  };
}

// The time of a change is not before that of the one numbered before it: writers take theirs before they wait here.
const counted = (condition: string): string => `counted AS (
  INSERT INTO sequences AS s (id, changes, policy, changed_at)
  SELECT $1::uuid, $2::bigint, $3::bigint, $4::timestamptz WHERE ${condition}
  ON CONFLICT (id) DO UPDATE SET changes = s.changes + EXCLUDED.changes, policy = s.policy + EXCLUDED.policy,
    changed_at = greatest(s.changed_at, EXCLUDED.changed_at)
  RETURNING s.changes, s.changed_at, s.is_followed)`;

const WRITE_ONE = `${CHANGES_INSERT}
  SELECT $1::uuid, counted.changes, $5::text, $6::uuid, $7::text, $8::integer, $9::jsonb, $10::jsonb, $11::uuid[], $12::uuid,
    $13::text, $14::timestamptz, $15::text, $16::uuid, $17::uuid, $18::uuid, $19::uuid, $20::text, counted.changed_at FROM counted`;

const WRITE_MANY = `${CHANGES_INSERT}
  SELECT $1::uuid, counted.changes - $2::bigint + r.position, ${CHANGES_SELECT}, counted.changed_at
  FROM counted, jsonb_to_recordset($5::jsonb) AS r (${CHANGES_RECORD})`;

const TOUCH = `INSERT INTO sequences AS s (id, changes, policy) VALUES ($1, 0, 1)
  ON CONFLICT (id) DO UPDATE SET policy = s.policy + 1`;

/** A write that was left for later, as a statement of its own. */
export const asIs = ({ name, statement: { text, values } }: LaterWrite): pg.QueryConfig => ({
  name,
  text,
  values,
});

/** How a unit of work ends: with these statements, in their order, or not at all. */
export interface LastStatements {
  /** Writes of the unit that were left for later; they have to be among the statements that are sent. */
  takeLeft(): LaterWrite[];
  /** @returns whether any of them answered with a row */
  send(statements: readonly pg.QueryConfig[]): Promise<boolean>;
  /** For a statement that is all of the unit; null when others have been sent. */
  readonly sendAlone: SendAlone | null;
}

/**
 * Writes a unit's changes with one statement for each owner: raise the counter, number the rows, insert them and what
 * follows from them. Counters are taken in the order of their ids, so that two units with the same owners cannot
 * deadlock. A single write that was left for later goes into the first of these statements; the counter waits for it,
 * so that the owner's other writers wait for nothing but the commit. A unit that is one new row and its change shares a
 * statement with others (see GroupCommit).
 */
@Injectable()
export class ChangeWriter {
  private readonly texts = new Map<string, string>();
  private readonly together = new GroupCommit();

  constructor(
    private readonly clock: Clock,
    private readonly followers: ChangeFollowers,
  ) {}

  /** @returns whether anybody is to be told of these changes */
  async write(unit: LastStatements, buffer: ChangeBuffer): Promise<boolean> {
    try {
      return await this.writeAll(unit, buffer);
    } catch (error) {
      throw isOwnerGone(error) ? new DomainError('NOT_FOUND', 'The account is gone') : error;
    }
  }

  private async writeAll(unit: LastStatements, { owners, policies }: ChangeBuffer): Promise<boolean> {
    const ids = [...new Set([...owners.keys(), ...policies])].sort();
    const now = this.clock.now();
    const left = unit.takeLeft();
    if (unit.sendAlone && ids.length === 1 && left.length === 1 && policies.size === 0) {
      const shared = this.shared(left[0] as LaterWrite, owners.get(ids[0] as string) ?? [], now);
      const isFollowed = shared && (await this.together.write(shared, unit.sendAlone));
      if (isFollowed !== null) return isFollowed;
    }
    const along = left.length === 1 && owners.has(ids[0] as string) ? left.pop() : undefined;
    const counters = ids.map((id, index) => {
      const recorded = owners.get(id);
      if (recorded === undefined) return { name: 'changes:touch', text: TOUCH, values: [id] };
      const counter = [id, recorded.length, policies.has(id) ? 1 : 0, now];
      return this.statement(recorded, counter, index === 0 ? along : undefined);
    });
    return unit.send([...left.map(asIs), ...counters]);
  }

  /** What is written as a part of a statement that others share; null for what cannot be. */
  private shared(left: LaterWrite, recorded: readonly Recorded[], at: Date): SharedUnit | null {
    const [only] = recorded;
    if (only === undefined || recorded.length > 1 || left.shared === undefined) return null;
    const following = this.followers.of(recorded);
    if (following.some(({ shared }) => shared === undefined)) return null;
    const name = ['changes:shared', left.name, ...following.map((part) => part.name)].join(':');
    const { ownerId } = only.change;
    return { ownerId, at, name, row: left.shared, change: record(only, 1), following };
  }

  private statement(
    recorded: readonly Recorded[],
    counter: unknown[],
    along: LaterWrite | undefined,
  ): pg.QueryConfig {
    const isOne = recorded.length === 1;
    const changes = isOne
      ? single(recorded[0] as Recorded)
      : [JSON.stringify(recorded.map((entry, index) => record(entry, index + 1)))];
    const own = [...counter, ...changes];
    const following = this.followers.of(recorded);
    const parts = [
      isOne ? 'one' : 'many',
      ...following.map(({ name }) => name),
      ...(along ? [along.name] : []),
    ];
    const name = `changes:${parts.join(':')}`;
    const said = following.flatMap((part) => (part.said === null ? [] : [JSON.stringify(part.said)]));
    const values = [...own, ...said];
    let text = this.texts.get(name);
    if (text === undefined) {
      const written = along?.statement.textFrom(values.length + 1);
      let place = own.length;
      const followed = following.map(({ statement, said }) =>
        said === null ? statement : statement.replaceAll('$said', `$${++place}::jsonb`),
      );
      this.texts.set(name, (text = textOf(isOne ? WRITE_ONE : WRITE_MANY, followed, written)));
    }
    return { name, text, values: along ? [...values, ...along.statement.params] : values };
  }
}

const textOf = (write: string, following: readonly string[], written: string | undefined): string => {
  const first =
    written === undefined
      ? [counted('true')]
      : [`written AS (${written} RETURNING 1)`, counted('(SELECT count(*) FROM written) > 0')];
  return `WITH ${[...first, `changed AS (${write})`, ...following].join(',\n')}\nSELECT FROM counted WHERE is_followed`;
};

const actorType = (entry: Recorded): string => (agentOf(entry) === null ? entry.actor.type : 'agent');
const json = (value: object | null | undefined): string | null => (value ? JSON.stringify(value) : null);

function single(entry: Recorded): unknown[] {
  const { change, actor } = entry;
  return [
    change.entity,
    change.entityId,
    change.action,
    change.version,
    json(change.changedFields),
    json(change.snapshot),
    change.facts?.tagIds ?? null,
    change.facts?.schemaId ?? null,
    change.facts?.nodeType ?? null,
    change.facts?.createdAt ?? null,
    actorType(entry),
    actor.userId,
    actor.appId,
    agentOf(entry),
    actor.proposalId ?? null,
    change.reason ?? null,
  ];
}

function record(entry: Recorded, position: number): object {
  const { change, actor } = entry;
  return {
    position,
    entity: change.entity,
    entity_id: change.entityId,
    action: change.action,
    version: change.version,
    changed_fields: change.changedFields ?? null,
    snapshot: change.snapshot,
    tag_ids: change.facts?.tagIds ?? null,
    schema_id: change.facts?.schemaId ?? null,
    node_type: change.facts?.nodeType ?? null,
    node_created_at: change.facts?.createdAt ?? null,
    changed_by_type: actorType(entry),
    changed_by_user_id: actor.userId,
    changed_by_app_id: actor.appId,
    changed_by_agent_id: agentOf(entry),
    proposal_id: actor.proposalId ?? null,
    reason: change.reason ?? null,
  };
}
