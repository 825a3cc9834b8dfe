import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { type Room } from '../../kernel/database/page-bytes.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { type Connection } from '../domain/group.js';
import { newestPage } from './newest-page.js';

const ALL = sql.raw(
  'owner_id, id, target_group_id, status, message, requested_by, responded_by, created_at, responded_at',
);

/** Connections between groups as stored. Writes need a unit of work. */
@Injectable()
export class ConnectionsRepository {
  constructor(private readonly database: Database) {}

  /** A connection that the group requested or received. */
  async find(groupId: string, id: string): Promise<Connection | null> {
    const [connection] = await this.database.read<Connection>(
      sql`SELECT ${ALL} FROM group_connections WHERE owner_id = ${groupId} AND id = ${id}
        UNION ALL SELECT ${ALL} FROM group_connections WHERE target_group_id = ${groupId} AND id = ${id}`,
      'connection',
    );
    return connection ?? null;
  }

  async lock(ownerId: string, id: string): Promise<Connection | null> {
    const [connection] = await this.database.write<Connection>(
      sql`SELECT ${ALL} FROM group_connections WHERE owner_id = ${ownerId} AND id = ${id} FOR UPDATE`,
      'connection-lock',
    );
    return connection ?? null;
  }

  /** True if two groups are connected or one has asked the other, in either direction. */
  async isThere(groupId: string, otherId: string): Promise<boolean> {
    const found = await this.database.read(
      sql`SELECT 1 FROM group_connections WHERE status IN ('pending', 'accepted')
        AND ((owner_id = ${groupId} AND target_group_id = ${otherId})
          OR (owner_id = ${otherId} AND target_group_id = ${groupId})) LIMIT 1`,
      'connection-there',
    );
    return found.length > 0;
  }

  /** A page of the connections that the group requested, newest first. */
  outgoing(groupId: string, page: Room): Promise<ConnectionsPage> {
    return this.page(sql`SELECT ${ALL} FROM group_connections WHERE owner_id = ${groupId}`, page);
  }

  /** A page of the pending requests that the group received, newest first. */
  incoming(groupId: string, page: Room): Promise<ConnectionsPage> {
    return this.page(
      sql`SELECT ${ALL} FROM group_connections WHERE target_group_id = ${groupId} AND status = 'pending'`,
      page,
    );
  }

  /** Deletes the ended connections that a group requested from another (rule 10.4e). */
  async deleteEnded(groupId: string, targetId: string): Promise<void> {
    await this.database.write(
      sql`DELETE FROM group_connections
        WHERE owner_id = ${groupId} AND target_group_id = ${targetId} AND status IN ('declined', 'revoked')`,
      'connections-delete',
    );
  }

  async insert(connection: Connection): Promise<void> {
    const { owner_id, id, target_group_id, status, message, requested_by, created_at } = connection;
    await this.database.write(
      sql`INSERT INTO group_connections (owner_id, id, target_group_id, status, message, requested_by, created_at)
        VALUES (${owner_id}, ${id}, ${target_group_id}, ${status}, ${message}, ${requested_by}, ${created_at})`,
      'connection-insert',
    );
  }

  async update({ owner_id, id, status, responded_by, responded_at }: Connection): Promise<void> {
    await this.database.write(
      sql`UPDATE group_connections SET status = ${status}, responded_by = ${responded_by}, responded_at = ${responded_at}
        WHERE owner_id = ${owner_id} AND id = ${id}`,
      'connection-update',
    );
  }

  /** Revokes all connections of a disbanded group, on both sides. */
  async revokeAll(groupId: string, at: Date): Promise<void> {
    await this.database.write(
      sql`UPDATE group_connections SET status = 'revoked', responded_at = ${at}
        WHERE (owner_id = ${groupId} OR target_group_id = ${groupId}) AND status IN ('pending', 'accepted')`,
      'connections-revoke',
    );
  }

  private async page(listed: Sql, page: Room): Promise<ConnectionsPage> {
    const rows = await this.database.read<Connection & { total: number }>(
      newestPage(listed, page),
      'connections-page',
    );
    return { connections: rows.filter(({ id }) => id !== null), total: rows[0]?.total ?? 0 };
  }
}

interface ConnectionsPage {
  connections: Connection[];
  total: number;
}
