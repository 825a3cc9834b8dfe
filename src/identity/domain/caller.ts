import { type CounterValues } from '../../kernel/change-log/owner-counters.js';
import { type Actor } from '../../kernel/request-context.js';
import { type App } from './app.js';
import { type LogInClaims } from './log-in.js';
import { type Scope } from './scopes.js';
import { type User } from './user.js';

/** A person, by access token. */
export interface UserCaller {
  kind: 'user';
  userId: string;
  user: User;
  logIn: LogInClaims;
  stamps: Map<string, CounterValues>;
}

/** The access token of an app, by its stored form. */
export interface CallerToken {
  digest: string;
  /** A further bound of the permissions (rule 14.2). */
  scopes: readonly Scope[];
}

/**
 * An app, by one of its keys or tokens. The user of an app key is as named by the caller; that the user exists and has
 * authorized the app is not verified yet.
 */
export interface AppCaller {
  kind: 'app';
  app: App;
  /** The id of the key, or of the session of the token. */
  keyId: string;
  /** Absent for keys. */
  token?: CallerToken;
  /** Null on the app's own endpoints, unless the key is bound to a user. */
  userId: string | null;
  /**
   * Set for user keys, access tokens, and links to files: another authorization of the same pair does not admit
   * them.
   */
  boundAuthorizationId: string | null;
  /** The person who reads as the app; absent for the app itself (rule 2.11). */
  readBy?: UserCaller;
  stamps: Map<string, CounterValues>;
}

/**
 * The caller of a request. `stamps` are the counters of the app and the user, read after the request came:
 * decisions for equal stamps are still valid.
 */
export type Caller = UserCaller | AppCaller;

/** The session of an app that calls by a token; null for keys and people. */
export const sessionOf = (caller: Caller): string | null =>
  caller.kind === 'app' && caller.token !== undefined ? caller.keyId : null;

/** The caller as history names it. */
export function actorOf(caller: Caller): Actor {
  return caller.kind === 'user'
    ? { type: 'user', userId: caller.userId, appId: null }
    : { type: 'app', userId: caller.userId, appId: caller.app.id };
}
