import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { newId } from '../../kernel/ids.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { type Access } from '../../privacy/index.js';
import { advanced, type Session, sessionKey, type SessionStatus } from '../domain/session.js';
import { SessionsRepository } from '../infrastructure/sessions.repository.js';

/** The most sessions of one maker that no write names: these count for no quota (rule 7.4d). */
const MOST_EMPTY = 1_000;

/** Sessions that callers begin and end themselves; those that a write begins are written with it. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the session that the caller has already begun under that external id, if there is one
   * @throws QUOTA_EXCEEDED beyond {@link MOST_EMPTY}
   */
  async begin(
    access: Access,
    { external_id, agent_id, agent_name }: { external_id?: string; agent_id?: string; agent_name?: string },
  ): Promise<{ session: Session; isNew: boolean }> {
    const { appId } = access.actor;
    const id = newId();
    const session: Session = {
      owner_id: access.ownerId,
      id,
      // Without an external id the session's own id serves as one.
      key: sessionKey(appId, external_id ?? id),
      app_id: appId,
      external_id: external_id ?? null,
      agent_id: agent_id?.toLowerCase() ?? null,
      agent_name: agent_name ?? null,
      status: 'created',
      error: null,
      created_at: this.clock.now(),
      started_at: null,
      completed_at: null,
    };
    const before = await this.units.run(async () => {
      const known = await this.sessions.insert(session);
      if (known === null && (await this.sessions.countEmpty(session, MOST_EMPTY + 1)) > MOST_EMPTY)
        throw tooManyEmpty();
      return known;
    });
    return { session: before ?? session, isNew: before === null };
  }

  /** @throws INVALID_STATE_TRANSITION */
  async advance(
    access: Access,
    located: Session,
    step: { status: SessionStatus; error?: string | null },
  ): Promise<Session> {
    return this.units.run(async () => {
      const current = await this.sessions.lock(access.ownerId, located.id);
      const next = advanced(current, step, this.clock.now());
      await this.sessions.update(next, step.error ?? null);
      return next;
    });
  }
}

const tooManyEmpty = (): DomainError =>
  new DomainError('QUOTA_EXCEEDED', 'There are 1,000 sessions without a write; use one of them', {
    quota: 'empty_sessions',
    limit: MOST_EMPTY,
  });

/** The owner may do with all sessions what their makers may. */
export const isOwn = ({ isOwner, actor }: Access, { app_id }: Pick<Session, 'app_id'>): boolean =>
  isOwner || app_id === actor.appId;
