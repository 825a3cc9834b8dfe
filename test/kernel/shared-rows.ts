import { Config } from '../../src/config/config.js';
import { ChangeFollowers } from '../../src/kernel/change-log/change-followers.js';
import { ChangeLog } from '../../src/kernel/change-log/change-log.js';
import { CommittedChanges } from '../../src/kernel/change-log/committed-changes.js';
import { Clock } from '../../src/kernel/clock.js';
import { newId } from '../../src/kernel/ids.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { type BatchableWrite } from '../../src/kernel/write-batching/batchable-write.js';
import { BatchedChangeSink } from '../../src/kernel/write-batching/batched-change-sink.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';

const INSERT = `INSERT INTO sequences (id) SELECT id FROM jsonb_to_recordset($rows) AS r (owner_id uuid, id uuid)
  WHERE owner_id IN (SELECT owner_id FROM counted)`;

/** A process that writes units of work that are one new row and its change. */
export class SharedRows {
  private readonly changes = new ChangeLog();
  private readonly units: UnitOfWork;

  private constructor(readonly database: Database) {
    const sink = new BatchedChangeSink(new Clock(), new ChangeFollowers(), new Config({}));
    this.units = new UnitOfWork(database, sink, new CommittedChanges());
  }

  static async on(url: string): Promise<SharedRows> {
    return new SharedRows(await Database.open(new Config({ DATABASE_URL: url }), []));
  }

  async owners(count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, newId);
    const insert = sql`INSERT INTO sequences (id) SELECT unnest(${ids}::uuid[])`;
    await this.units.run(() => this.database.write(insert));
    return ids;
  }

  write(ownerId: string, id = newId(), more: object = {}): Promise<void> {
    return this.units.run(async () => {
      const write: BatchableWrite = {
        name: 'later',
        statement: sql`INSERT INTO sequences (id) VALUES (${id})`,
        shared: { text: INSERT, row: { owner_id: ownerId, id, ...more } },
      };
      this.database.defer(write);
      this.changes.append({
        ownerId,
        entity: 'later',
        entityId: id,
        action: 'created',
        version: 1,
        snapshot: null,
      });
    });
  }

  log(ownerId: string) {
    return this.database.read<{ id: string; sequence: number; at: Date; made: number }>(
      sql`SELECT entity_id AS id, sequence, changed_at AS at,
          (SELECT count(*)::int FROM sequences s WHERE s.id = entity_id) AS made
        FROM changes WHERE owner_id = ${ownerId} ORDER BY sequence`,
    );
  }
}
