/** An **app key** names the app; a **user key** is bound to one authorization (rule 1.7). */
export type KeyKind = 'app' | 'user';

/** A key as it is stored: only the hash of its secret exists (rule 1.6). */
export interface ApiKey {
  id: string;
  appId: string;
  kind: KeyKind;
  /** Both set for user keys, both null for app keys. */
  userId: string | null;
  authorizationId: string | null;
  name: string | null;
  prefix: string;
  lastFour: string;
  createdAt: Date;
  expiresAt: Date | null;
}
