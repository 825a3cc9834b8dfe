/** Events of an account of which its person receives a letter (rule 1.22). */
export type NoticeKind =
  | 'log-in'
  | 'app'
  | 'app-changed'
  | 'app-ended'
  | 'app-copied'
  | 'key'
  | 'export'
  | 'password'
  | 'password-reset'
  | 'second-factor-added'
  | 'second-factor-removed'
  | 'recovery-codes-replaced'
  | 'recovery-code-used'
  | 'passkey-added'
  | 'passkey-removed'
  | 'passkey-copied'
  | 'erasure';

export interface Notice {
  kind: NoticeKind;
  /** The name of the app concerned, as its developer wrote it. */
  appName?: string;
  /** A detail, in the service's words. */
  detail?: string;
}

export const NOTICES_A_DAY = 5;
