import { Config } from '../../src/config/config.js';
import { type Change, type RecordedChange } from '../../src/kernel/change-log/change.js';
import { ChangeFollowers } from '../../src/kernel/change-log/change-followers.js';
import { ChangeLog } from '../../src/kernel/change-log/change-log.js';
import { type ChangeSink, type DoneUnit } from '../../src/kernel/change-log/change-sink.js';
import { CommittedChanges } from '../../src/kernel/change-log/committed-changes.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { Clock } from '../../src/kernel/clock.js';
import { type Database } from '../../src/kernel/database/database.js';
import { type LazyTransaction } from '../../src/kernel/database/lazy-transaction.js';
import { sql } from '../../src/kernel/database/sql.js';
import { newId } from '../../src/kernel/ids.js';
import {
  type BatchableFollowUp,
  type BatchableWrite,
} from '../../src/kernel/write-batching/batchable-write.js';

export type SinkType = new (clock: Clock, followers: ChangeFollowers, config: Config) => ChangeSink;

/** A fault of a sink: its statements have the second text instead of the first. */
export interface Fault {
  text: string;
  instead: string;
}

export const NODES_LIMIT = 3;

/** A database whose units of work end in one kind of sink; rows of `sequences` and `followed` stand for those of contexts. */
export class SinkWorld {
  readonly log = new ChangeLog();
  readonly units = this.unitsAt(new Clock());
  /** True once a statement with the text of the fault was sent. */
  isFaulty = false;

  constructor(
    readonly database: Database,
    private readonly type: SinkType,
    private readonly fault: Fault | null = null,
  ) {}

  /** Units of work whose sink has this clock. */
  unitsAt(clock: Clock): UnitOfWork {
    const followers = new ChangeFollowers();
    followers.register({ follow: (recorded) => followUpOf(recorded) });
    const sink = new this.type(clock, followers, new Config({ QUOTAS_FREE: `nodes=${NODES_LIMIT}` }));
    const flush = ({ transaction, buffer }: DoneUnit) =>
      sink.flush({ transaction: this.withFault(transaction), buffer });
    return new UnitOfWork(this.database, { flush }, new CommittedChanges());
  }

  async owner(): Promise<string> {
    const id = newId();
    await this.units.run(() => this.database.write(sql`INSERT INTO sequences (id) VALUES (${id})`));
    return id;
  }

  change(ownerId: string, over: Partial<Change> = {}): string {
    const entityId = newId();
    const facts = { tagIds: [newId()], schemaId: null, nodeType: 'NOTE', createdAt: new Date() };
    const created = { entity: 'thing', action: 'created', version: 1, snapshot: { title: 'a' }, facts };
    this.log.append({ ownerId, entityId, ...created, ...over });
    return over.entityId ?? entityId;
  }

  /** Defers new rows and logs them: one row in a way that units can share, several so that the changes have them all. */
  create(ownerId: string, count: number, over: Partial<Change> = {}): string[] {
    const ids = Array.from({ length: count }, newId);
    const [id] = ids as [string];
    this.database.defer(count === 1 ? oneRow(ownerId, id) : manyRows(ids));
    for (const entityId of ids) this.change(ownerId, { ...over, entityId });
    return ids;
  }

  /** The changes of an owner, with their rows and those of the follower. */
  async changes(ownerId: string) {
    return this.database.read<{ id: string; sequence: number; at: Date; rows: number; followed: number }>(
      sql`SELECT c.entity_id AS id, c.sequence, c.changed_at AS at,
          (SELECT count(*) FROM sequences AS s WHERE s.id = c.entity_id) AS rows,
          (SELECT count(*) FROM followed AS f WHERE f.owner_id = c.owner_id AND f.sequence = c.sequence
            AND f.entity_id = c.entity_id AND f.changed_at = c.changed_at) AS followed
        FROM changes AS c WHERE c.owner_id = ${ownerId} ORDER BY c.sequence`,
    );
  }

  async counters(ownerId: string) {
    const [row] = await this.database.read<{ changes: number; policy: number; nodes: number; apps: number }>(
      sql`SELECT changes, policy, nodes, apps FROM sequences WHERE id = ${ownerId}`,
    );
    return row;
  }

  async count(table: 'sequences' | 'followed' | 'changes'): Promise<number> {
    const [row] = await this.database.read<{ rows: number }>(
      sql`SELECT count(*) AS rows FROM ${sql.raw(table)}`,
    );
    return row?.rows ?? 0;
  }

  private withFault(transaction: LazyTransaction): LazyTransaction {
    const { fault } = this;
    if (fault === null) return transaction;
    const changed = <S extends { name?: string; text: string }>(statement: S): S => {
      if (!statement.text.includes(fault.text)) return statement;
      this.isFaulty = true;
      const text = statement.text.replaceAll(fault.text, fault.instead);
      return { ...statement, ...(statement.name && { name: `${statement.name.slice(0, 50)}!` }), text };
    };
    const faulty: Partial<LazyTransaction> = {
      send: (statement) => transaction.send(changed(statement)),
      sendLast: (statements) => transaction.sendLast(statements.map(changed)),
      detach: () => {
        const send = transaction.detach();
        return send && ((statement) => send(changed(statement)));
      },
    };
    const get = (_: object, name: keyof LazyTransaction) => {
      const own: unknown = faulty[name] ?? transaction[name];
      return typeof own === 'function' ? own.bind(transaction) : own;
    };
    return new Proxy(transaction, { get: get as never });
  }
}

const oneRow = (ownerId: string, id: string): BatchableWrite => ({
  name: 'row',
  statement: sql`INSERT INTO sequences (id) VALUES (${id})`,
  shared: {
    text: `INSERT INTO sequences (id) SELECT id FROM jsonb_to_recordset($rows) AS r (owner_id uuid, id uuid)
      WHERE owner_id IN (SELECT owner_id FROM counted)`,
    row: { owner_id: ownerId, id },
  },
});

const manyRows = (ids: readonly string[]): BatchableWrite => ({
  name: 'rows',
  statement: sql`INSERT INTO sequences (id) SELECT unnest(${ids}::uuid[])`,
  derivableFromChange: {
    entity: 'thing',
    ids: new Set(ids),
    statement: sql`INSERT INTO sequences (id) SELECT entity_id FROM given`,
  },
});

/** The reason of changes whose follower needs nothing but the counter. */
export const MARKED = 'marked';

const markOf = (owner: string, from: string): string =>
  `marked AS (INSERT INTO followed SELECT ${owner}, counted.changes, r.entity_id, counted.changed_at FROM ${from})`;

const MARK: BatchableFollowUp = {
  name: 'marked',
  statement: markOf('$1', 'counted, given AS r'),
  shared: markOf('counted.owner_id', 'counted JOIN given AS r ON r.owner = counted.owner_id'),
  payload: null,
};

const followUpOf = (recorded: readonly RecordedChange[]): BatchableFollowUp =>
  recorded.every(({ change }) => change.reason === MARKED) ? MARK : followUpWithRows(recorded);

const followUpWithRows = (recorded: readonly RecordedChange[]): BatchableFollowUp => ({
  name: 'followed',
  statement: `followed_rows AS (INSERT INTO followed
    SELECT $1, counted.changes - $2 + p.position, p.entity_id, counted.changed_at
    FROM counted, jsonb_to_recordset($payload) AS p (position bigint, entity_id uuid)
    JOIN given AS g ON g.position = p.position)`,
  shared: `followed_rows AS (INSERT INTO followed
    SELECT n.owner_id, n.sequence, n.entity_id, n.changed_at FROM numbered AS n
    WHERE n.entity_id::text IN (SELECT jsonb_path_query($payload, '$[*][*].entity_id') #>> '{}'))`,
  payload: recorded.map(({ change: { entityId } }, index) => ({ position: index + 1, entity_id: entityId })),
});
