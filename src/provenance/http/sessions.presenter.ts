import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Request } from 'express';
import { rememberSource, Replays } from '../../kernel/http/idempotency.js';
import { type Access, accessOf, seesEverything } from '../../privacy/index.js';
import { isOwn } from '../application/sessions.service.js';
import { type Session, sessionNotFound } from '../domain/session.js';
import { shownAgentId } from '../domain/shown-agents.js';
import { ContributionsQueries } from '../infrastructure/contributions.queries.js';
import { type SessionDto } from './sessions.dto.js';

/** A session has no version to judge by: transformations for certain tags or types would not apply. */
const noNode = ({ id }: Session) => ({ id, tagIds: [], nodeType: '' });
const AGENT_FIELDS = ['last_modified_by_agent_id', 'agent_metadata'];
const NOTHING = { contributions: 0, nodes: 0, contributors: 0 };

/**
 * Sessions as one caller is shown them. The texts of another app's session are shown only to callers who see all of
 * `agent_metadata` unmasked, which contains the same texts, and its times only to callers from whom nothing is hidden: they
 * may be those of a hidden change.
 */
@Injectable()
export class SessionsPresenter implements OnModuleInit {
  constructor(
    private readonly contributions: ContributionsQueries,
    private readonly replays: Replays,
  ) {}

  onModuleInit(): void {
    this.replays.register<Session>('session', {
      present: async (request, sources) =>
        sources.map((source) => ({ body: begun(accessOf(request as Request), source) })),
      absent: sessionNotFound,
    });
  }

  /** One more statement, for any number of sessions. */
  async present(access: Access, sessions: readonly Session[]): Promise<SessionDto[]> {
    const statistics = await this.contributions.ofSessions(
      access,
      sessions.map(({ id }) => id),
    );
    return sessions.map((session) => shownSession(access, session, statistics.get(session.id) ?? NOTHING));
  }

  /** A session that this caller has just begun. */
  presentBegun(access: Access, session: Session): SessionDto {
    return rememberSource(shownSession(access, session, NOTHING), session, 'session');
  }
}

/** The session from a stored answer, which is JSON. */
const begun = (access: Access, stored: Session): SessionDto =>
  shownSession(access, { ...stored, created_at: new Date(stored.created_at) }, NOTHING);

function shownSession(access: Access, session: Session, counted: typeof NOTHING): SessionDto {
  const isOwnSession = isOwn(access, session);
  const showsWords = isOwnSession || !access.exposure.touches('agent_metadata');
  const showsTimes = isOwnSession || seesEverything(access);
  const words = (text: string | null) => (showsWords ? text : null);
  const time = (date: Date | null) => (showsTimes ? (date?.toISOString() ?? null) : null);
  return {
    id: session.id,
    external_id: words(session.external_id),
    status: session.status,
    agent_id: isOwnSession ? session.agent_id : agentOfOthers(access, session),
    agent_name: words(session.agent_name),
    app_id: session.app_id,
    created_at: time(session.created_at),
    started_at: time(session.started_at),
    completed_at: time(session.completed_at),
    error: words(session.error),
    statistics: {
      total_contributions: counted.contributions,
      unique_nodes: counted.nodes,
      unique_contributors: counted.contributors,
    },
  };
}

/** Null also where a mask for certain tags or types could change it: the session's nodes may have them. */
function agentOfOthers(access: Access, session: Session): string | null {
  const shown = shownAgentId(access, session.agent_id, noNode(session));
  const isMasked = AGENT_FIELDS.some((field) => access.exposure.touches(field));
  return isMasked && shown === session.agent_id ? null : shown;
}
