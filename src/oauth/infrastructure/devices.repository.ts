import { Injectable } from '@nestjs/common';
import { type Scope } from '../../identity/index.js';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';
import { type Wishes } from '../domain/authorization-request.js';

/** A device that waits for its person, as it is stored. */
export interface WaitingDevice {
  digest: string;
  userCode: string;
  appId: string;
  request: Wishes & { device: string | null };
  status: 'pending' | 'allowed' | 'denied';
  ownerId: string | null;
  authorizationId: string | null;
  scopes: Scope[] | null;
  details: object[] | null;
  intervalSeconds: number;
  askedAt: Date | null;
  expiresAt: Date;
}

/** The decision of a person about a device. */
export type DeviceDecision =
  | { status: 'denied' }
  | {
      status: 'allowed';
      ownerId: string;
      authorizationId: string;
      scopes: Scope[];
      details: object[] | null;
    };

const COLUMNS =
  sql.raw(`digest, user_code AS "userCode", app_id AS "appId", request, status, allowed_by AS "ownerId",
  authorization_id AS "authorizationId", scopes, details, interval_seconds AS "intervalSeconds", asked_at AS "askedAt",
  expires_at AS "expiresAt"`);

/** Devices that wait, found by the hash of their code or by the code that the person types. Writes need a unit of work. */
@Injectable()
export class DeviceRows {
  constructor(private readonly database: Database) {}

  /** @returns false if another device has the same user code */
  async insert(device: WaitingDevice): Promise<boolean> {
    const { digest, userCode, appId, status, intervalSeconds, expiresAt } = device;
    const rows = await this.database.write(
      sql`INSERT INTO oauth_devices (digest, user_code, app_id, request, status, interval_seconds, expires_at)
        VALUES (${digest}, ${userCode}, ${appId}, ${JSON.stringify(device.request)}::jsonb, ${status},
          ${intervalSeconds}, ${expiresAt})
        ON CONFLICT DO NOTHING RETURNING digest`,
    );
    return rows.length > 0;
  }

  async findByUserCode(userCode: string): Promise<WaitingDevice | null> {
    const [row] = await this.database.read<WaitingDevice>(
      sql`SELECT ${COLUMNS} FROM oauth_devices WHERE user_code = ${userCode}`,
      'oauth-user-code',
    );
    return row ?? null;
  }

  /** The device, locked until the unit ends. */
  async lock(digest: string): Promise<WaitingDevice | null> {
    const [row] = await this.database.write<WaitingDevice>(
      sql`SELECT ${COLUMNS} FROM oauth_devices WHERE digest = ${digest} FOR UPDATE`,
    );
    return row ?? null;
  }

  async find(digest: string): Promise<WaitingDevice | null> {
    const [row] = await this.database.read<WaitingDevice>(
      sql`SELECT ${COLUMNS} FROM oauth_devices WHERE digest = ${digest}`,
      'oauth-device',
    );
    return row ?? null;
  }

  async decide(digest: string, decision: DeviceDecision): Promise<void> {
    const { ownerId, authorizationId, scopes, details } =
      decision.status === 'allowed'
        ? decision
        : { ownerId: null, authorizationId: null, scopes: null, details: null };
    await this.database.write(
      sql`UPDATE oauth_devices SET status = ${decision.status}, allowed_by = ${ownerId},
          authorization_id = ${authorizationId}, scopes = ${scopes},
          details = ${details === null ? null : JSON.stringify(details)}::jsonb
        WHERE digest = ${digest}`,
    );
  }

  async ask(digest: string, { at, intervalSeconds }: { at: Date; intervalSeconds: number }): Promise<void> {
    await this.database.write(
      sql`UPDATE oauth_devices SET asked_at = ${at}, interval_seconds = ${intervalSeconds} WHERE digest = ${digest}`,
    );
  }

  async delete(digest: string): Promise<void> {
    await this.database.write(sql`DELETE FROM oauth_devices WHERE digest = ${digest}`);
  }

  async forget(before: Date): Promise<void> {
    await this.database.write(sql`DELETE FROM oauth_devices WHERE expires_at < ${before}`);
  }

  /**
   * Deletes the pending ones that expire first, as long as there are more than this number of all kinds. One that somebody
   * decides about at this moment stays: to wait for it could be a deadlock of two that trim.
   */
  async trim(most: number): Promise<void> {
    await this.database.write(
      sql`DELETE FROM oauth_devices WHERE digest IN (
          SELECT digest FROM oauth_devices WHERE status = 'pending' AND digest IN (
            SELECT digest FROM oauth_devices ORDER BY expires_at DESC, digest OFFSET ${most})
          FOR UPDATE SKIP LOCKED)`,
    );
  }

  async deleteOf(ownerId: string): Promise<void> {
    await this.database.write(sql`DELETE FROM oauth_devices WHERE allowed_by = ${ownerId}`);
  }
}
