import { type Scope } from './scopes.js';

/** The surfaces that a token opens: the REST API, the MCP endpoint, or both (RFC 8707). */
export type Audience = 'all' | 'api' | 'mcp';

/** The reasons for which a session ends: two of them say that somebody may have copied what it connects with. */
export const SESSION_ENDS = [
  'ended_by_person',
  'revoked_by_client',
  'refresh_token_reused',
  'code_reused',
  'authorization_ended',
  'unused',
] as const;
export type SessionEnd = (typeof SESSION_ENDS)[number];

export const isCopied = (reason: SessionEnd): boolean =>
  reason === 'refresh_token_reused' || reason === 'code_reused';

/** One connection of an app for a person: the tokens of one consent on one device (rule 14.5). */
export interface AppSession {
  ownerId: string;
  id: string;
  appId: string;
  authorizationId: string;
  /** The name of the device as its client or browser says it; null if it says none. */
  device: string | null;
  scopes: Scope[];
  audience: Audience;
  /** True if the client proved itself with a secret: it must do so at each refresh. */
  isConfidential: boolean;
  /** True if its request had authorization_details, which its refreshes then repeat as granted. */
  hasDetails: boolean;
  createdAt: Date;
  /** The last time that the session was issued tokens. */
  lastUsedAt: Date;
  endedAt: Date | null;
  /** Null while it lives, and for ends of earlier versions, which did not store by whom. */
  endReason: SessionEnd | null;
}

/** A refresh token may be used again for this time: an answer can be lost, and clients refresh in bursts. */
export const GRACE_MS = 120_000;
/** A session ends when it has not been refreshed for this time. */
export const IDLE_MS = 90 * 24 * 60 * 60 * 1000;

/** Ended sessions are listed for this time. */
export const SHOWN_MS = 90 * 24 * 60 * 60 * 1000;

/** The end of a session and its reason. */
export type SessionEnding = Pick<AppSession, 'endedAt' | 'endReason'>;

/**
 * The end of a session as its person is shown it, the earliest of: the stored one, that of its authorization, and the time
 * at which its last token has expired, which a sweep stores later.
 * @param idleMs the time for which the tokens of one refresh last
 */
export function endingOf(
  session: Pick<AppSession, 'endedAt' | 'endReason' | 'lastUsedAt'>,
  { authorizationEnd, idleMs, now }: { authorizationEnd: Date | null; idleMs: number; now: Date },
): SessionEnding {
  const { endedAt, endReason, lastUsedAt } = session;
  const unusedAt = new Date(lastUsedAt.getTime() + idleMs);
  const endings: SessionEnding[] = [
    { endedAt, endReason },
    { endedAt: authorizationEnd, endReason: 'authorization_ended' },
    { endedAt: unusedAt <= now ? unusedAt : null, endReason: 'unused' },
  ];
  const [first] = endings
    .filter((ending) => ending.endedAt !== null)
    .sort((a, b) => Number(a.endedAt) - Number(b.endedAt));
  return first ?? { endedAt: null, endReason: null };
}

export type RefreshVerdict = 'fresh' | 'in grace' | 'reused' | 'expired';

/** The state of a refresh token that is presented now. Reuse precedes expiry: a copy is a copy at any age. */
export function refreshVerdict(
  { spentAt, expiresAt }: { spentAt: Date | null; expiresAt: Date },
  now: Date,
): RefreshVerdict {
  if (spentAt !== null && now.getTime() - spentAt.getTime() > GRACE_MS) return 'reused';
  if (expiresAt <= now) return 'expired';
  return spentAt === null ? 'fresh' : 'in grace';
}
