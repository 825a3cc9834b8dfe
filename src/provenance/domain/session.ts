import { createHash } from 'node:crypto';
import { DomainError } from '../../kernel/errors/domain-error.js';

export const SESSION_STATUSES = ['created', 'processing', 'completed', 'failed'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** An agent's pass over some material, as it is stored (rule 7.4). */
export interface Session {
  owner_id: string;
  id: string;
  /** See {@link sessionKey}. */
  key: string;
  app_id: string | null;
  external_id: string | null;
  agent_id: string | null;
  agent_name: string | null;
  status: SessionStatus;
  error: string | null;
  created_at: Date;
  started_at: Date | null;
  completed_at: Date | null;
}

/** The most characters of a session's texts, as they are accepted and shown. */
export const SESSION_TEXTS = { external_id: 1_000, agent_name: 1_000, error: 2_000 } as const;

/** The same error for an absent session and for another maker's. */
export const sessionNotFound = (): DomainError => DomainError.absent('NOT_FOUND', 'Session not found');

const NEXT: Readonly<Record<SessionStatus, readonly SessionStatus[]>> = {
  created: ['processing', 'completed', 'failed'],
  processing: ['completed', 'failed'],
  completed: [],
  failed: [],
};

/**
 * The key by which a write finds a session: the external id of its maker (an app, or a guest; null: the owner). Hashed,
 * because the id is the caller's text and an index row is short.
 */
export function sessionKey(makerId: string | null, externalId: string): string {
  return createHash('sha256')
    .update(`${makerId ?? ''}:${externalId}`)
    .digest('base64url');
}

/** @throws INVALID_STATE_TRANSITION */
export function advanced(
  session: Session,
  { status, error }: { status: SessionStatus; error?: string | null },
  at: Date,
): Session {
  if (!NEXT[session.status].includes(status)) {
    const message = `A session that is ${session.status} cannot become ${status}`;
    throw new DomainError('INVALID_STATE_TRANSITION', message);
  }
  return {
    ...session,
    status,
    error: error ?? session.error,
    started_at: session.started_at ?? at,
    completed_at: status === 'processing' ? null : at,
  };
}
