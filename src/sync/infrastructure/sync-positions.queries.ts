import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { deliveredUpTo, READING, type Replica } from '../domain/replica.js';
import { fromBytes, toBytes } from '../domain/replica-bytes.js';

/** The position of an app in one scope of a user's graph. */
export interface SyncPosition {
  scope: string;
  /** The replica of the last presented cursor; null: none was presented, or it is refused now. */
  replica: Replica | null;
  lastVersionSeen: number;
  lastSyncAt: Date;
}

type Row = Omit<SyncPosition, 'replica'> & { replica: Buffer | null };

interface PositionKey {
  ownerId: string;
  appId: string;
  scope: string;
}

/** The most scopes of a user's graph that are stored for an app; the least recently synchronized ones are deleted. */
const MOST_SCOPES = 50;

/** The time within which an equal position is not written again: a read must not cost a write each time. */
const AGAIN_MS = 1_000;

function validReplica(bytes: Buffer): Replica | null {
  const replica = fromBytes(bytes);
  return replica?.reading === READING ? replica : null;
}

/** The stored positions of apps, the only rows that a GET writes (rule 7.10). */
@Injectable()
export class SyncPositions {
  constructor(
    private readonly database: Database,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async list(ownerId: string, appId: string): Promise<SyncPosition[]> {
    const rows = await this.database.read<Row>(
      sql`SELECT scope, replica, last_version_seen AS "lastVersionSeen", last_sync_at AS "lastSyncAt"
        FROM sync_positions WHERE owner_id = ${ownerId} AND app_id = ${appId} ORDER BY scope`,
      'sync-positions',
    );
    return rows.map((row) => ({ ...row, replica: row.replica && validReplica(row.replica) }));
  }

  /** @param presented null: a full sync begins, and the stored position stays */
  async record(place: PositionKey, presented: Replica | null): Promise<void> {
    const now = this.clock.now();
    const replica = presented && toBytes(presented);
    if (await this.isWritten(place, replica, new Date(now.getTime() - AGAIN_MS))) return;
    const { ownerId, appId, scope } = place;
    const seen = presented ? deliveredUpTo(presented) : 0;
    const moved = presented
      ? sql`replica = EXCLUDED.replica, last_version_seen = EXCLUDED.last_version_seen, `
      : sql.empty;
    await this.units.run(async () => {
      const [written] = await this.database.write<{ is_new: boolean }>(
        sql`INSERT INTO sync_positions (owner_id, app_id, scope, replica, last_version_seen, last_sync_at)
          VALUES (${ownerId}, ${appId}, ${scope}, ${replica}, ${seen}, ${now})
          ON CONFLICT (owner_id, app_id, scope) DO UPDATE SET ${moved}last_sync_at = EXCLUDED.last_sync_at
          RETURNING xmax = 0 AS is_new`,
        'sync-position-write',
      );
      if (written?.is_new) await this.forgetOldest({ ownerId, appId });
    });
  }

  private async forgetOldest({ ownerId, appId }: Omit<PositionKey, 'scope'>): Promise<void> {
    await this.database.write(
      sql`DELETE FROM sync_positions WHERE owner_id = ${ownerId} AND app_id = ${appId} AND scope IN (
          SELECT scope FROM sync_positions WHERE owner_id = ${ownerId} AND app_id = ${appId}
          ORDER BY last_sync_at DESC, scope OFFSET ${MOST_SCOPES})`,
      'sync-positions-forget',
    );
  }

  private async isWritten(
    { ownerId, appId, scope }: PositionKey,
    replica: Buffer | null,
    since: Date,
  ): Promise<boolean> {
    const same = replica ? sql`AND replica = ${replica}` : sql.empty;
    const rows = await this.database.read(
      sql`SELECT 1 FROM sync_positions
        WHERE owner_id = ${ownerId} AND app_id = ${appId} AND scope = ${scope} AND last_sync_at > ${since} ${same}`,
      'sync-position-written',
    );
    return rows.length > 0;
  }
}
