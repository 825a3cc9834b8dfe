import { Injectable } from '@nestjs/common';
import { ApiKeys, AppSessions } from '../../identity/index.js';
import { ChangeLog } from '../../kernel/change-log/change-log.js';
import { changedFields } from '../../kernel/change-log/changed-fields.js';
import { Clock } from '../../kernel/clock.js';
import { type Authorization, authorizationSnapshot } from '../domain/authorization.js';
import { AuthorizationsRepository } from '../infrastructure/authorizations.repository.js';

type Revisable = Partial<
  Pick<
    Authorization,
    | 'exposureProfileId'
    | 'requestedPermissions'
    | 'appName'
    | 'purpose'
    | 'isChosen'
    | 'expiresAt'
    | 'revokedAt'
  >
>;

/**
 * Writes every step in the life of an authorization: the row, its entry in the change log, and the end of all
 * decisions that guards remember for its user (rule 2.8). Needs a unit of work, and the row locked.
 */
@Injectable()
export class AuthorizationRecords {
  constructor(
    private readonly authorizations: AuthorizationsRepository,
    private readonly keys: ApiKeys,
    private readonly sessions: AppSessions,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /** Returns false if the pair already has a living authorization. */
  async add(authorization: Authorization): Promise<boolean> {
    if (!(await this.authorizations.insert(authorization))) return false;
    this.record(authorization, 'created', null);
    return true;
  }

  async revise(before: Authorization, changes: Revisable, action = 'updated'): Promise<Authorization> {
    const after = { ...before, ...changes, version: before.version + 1, updatedAt: this.clock.now() };
    await this.authorizations.update(after);
    this.record(after, action, before);
    return after;
  }

  /** Ends the authorization, its user keys and its sessions. */
  async revoke(authorization: Authorization): Promise<Authorization> {
    await this.endCredentials(authorization);
    return this.revise(authorization, { revokedAt: this.clock.now() }, 'revoked');
  }

  /** Removes the record; its history stays in the change log. */
  async erase(authorization: Authorization): Promise<void> {
    await this.endCredentials(authorization);
    await this.authorizations.delete(authorization.ownerId, authorization.id);
    this.record(authorization, 'deleted', null);
  }

  private async endCredentials({ ownerId, id }: Authorization): Promise<void> {
    await this.keys.revokeOfAuthorization(id);
    await this.sessions.endOfAuthorization(ownerId, id);
  }

  private record(authorization: Authorization, action: string, before: Authorization | null): void {
    const snapshot = authorizationSnapshot(authorization);
    this.changes.append({
      ownerId: authorization.ownerId,
      entity: 'authorization',
      entityId: authorization.id,
      action,
      version: authorization.version,
      changedFields: before && changedFields(authorizationSnapshot(before), snapshot),
      snapshot,
    });
    this.changes.bumpPolicyVersion(authorization.ownerId);
  }
}
