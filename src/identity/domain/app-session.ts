import { type Scope } from './scopes.js';

/** The surfaces that a token opens: the REST API, the MCP endpoint, or both (RFC 8707). */
export type Audience = 'all' | 'api' | 'mcp';

/** The reason for which a session ended. */
export type SessionEnd = 'ended' | 'authorization ended' | 'code used twice' | 'refresh token used twice';

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
}

/** A refresh token may be used again for this time: an answer can be lost, and clients refresh in bursts. */
export const GRACE_MS = 120_000;
/** A session ends when it has not been refreshed for this time. */
export const IDLE_MS = 90 * 24 * 60 * 60 * 1000;

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
