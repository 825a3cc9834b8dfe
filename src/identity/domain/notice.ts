/** Events of an account of which its person gets a letter (rule 1.22). */
export type NoticeKind =
  | 'log-in'
  | 'app'
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
  /** The app that it is about, as its developer calls it. */
  appName?: string;
  /** More about it, as the service says it. */
  detail?: string;
}

export const NOTICES_A_DAY = 5;
