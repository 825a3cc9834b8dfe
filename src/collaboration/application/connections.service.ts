import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { isId, newId } from '../../kernel/ids.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { answered, type Connection } from '../domain/group.js';
import { ConnectionsRepository } from '../infrastructure/connections.repository.js';
import { GroupsRepository } from '../infrastructure/groups.repository.js';
import { GroupRecords } from './group-records.js';
import { refuseUnlessAdmin } from './members.service.js';

interface Asking {
  groupId: string;
  byUserId: string;
}

/** Connections between groups. A connection gives no access to either group (rule 10.4). */
@Injectable()
export class ConnectionsService {
  constructor(
    private readonly groups: GroupsRepository,
    private readonly connections: ConnectionsRepository,
    private readonly records: GroupRecords,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @throws VALIDATION_ERROR for the group itself; NOT_FOUND for an unknown or disbanded one; CONNECTION_EXISTS */
  async request(
    { groupId, byUserId }: Asking,
    { target_group_id, message }: { target_group_id: string; message?: string | null },
  ): Promise<Connection> {
    const targetId = target_group_id.toLowerCase();
    if (targetId === groupId) throw DomainError.validation('target_group_id', 'must be another group');
    return this.units.run(async () => {
      // With both groups locked, no concurrent request from either side can be inserted.
      await this.lockBoth(groupId, targetId);
      refuseUnlessAdmin(await this.groups.members(groupId), byUserId);
      if (await this.connections.isThere(groupId, targetId))
        throw new DomainError(
          'CONNECTION_EXISTS',
          'The groups are already connected, or a request is pending',
        );
      const connection: Connection = {
        owner_id: groupId,
        id: newId(),
        target_group_id: targetId,
        status: 'pending',
        message: message ?? null,
        requested_by: byUserId,
        responded_by: null,
        created_at: this.clock.now(),
        responded_at: null,
      };
      await this.connections.deleteEnded(groupId, targetId);
      await this.connections.insert(connection);
      return connection;
    });
  }

  /**
   * A connection that the group requested or received.
   * @param verb `answer`: only a connection that the group received
   * @throws NOT_FOUND
   */
  async get(groupId: string, id: string, verb: 'answer' | 'revoke'): Promise<Connection> {
    const found = isId(id) ? await this.connections.find(groupId, id) : null;
    if (found === null || (verb === 'answer' && found.target_group_id !== groupId))
      throw connectionNotFound();
    return found;
  }

  /**
   * Answers or revokes a connection for an admin: the receiving group answers, either group revokes.
   * @throws NOT_FOUND, INVALID_STATE_TRANSITION
   */
  async step(
    { groupId, byUserId }: Asking,
    located: Connection,
    status: 'accepted' | 'declined' | 'revoked',
  ): Promise<Connection> {
    return this.units.run(async () => {
      await this.records.lock(groupId);
      refuseUnlessAdmin(await this.groups.members(groupId), byUserId);
      const connection = await this.connections.lock(located.owner_id, located.id);
      if (connection === null) throw connectionNotFound();
      const done = { ...answered(connection, status, this.clock.now()), responded_by: byUserId };
      await this.connections.update(done);
      return done;
    });
  }

  /**
   * Locks both groups in the order of their ids, so that two groups that request each other do not
   * deadlock.
   */
  private async lockBoth(groupId: string, targetId: string): Promise<void> {
    if (!isId(targetId)) throw targetNotFound();
    for (const id of [groupId, targetId].sort()) {
      if (id === groupId) await this.records.lock(id);
      else if ((await this.groups.lock(id)) === null) throw targetNotFound();
    }
  }
}

const connectionNotFound = (): DomainError => new DomainError('NOT_FOUND', 'Connection not found');
const targetNotFound = (): DomainError => new DomainError('NOT_FOUND', 'Target group not found');
