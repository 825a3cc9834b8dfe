/** Waits before the second and each further attempt, in seconds. */
const WAITS = [60, 300, 900, 3600, 3 * 3600, 6 * 3600];

/** The details of a failed attempt, as far as the transport reports them. */
export interface SendFailure {
  /** The code of the SMTP server's reply. */
  responseCode?: number | undefined;
  /** The SMTP command that was answered with it. */
  command?: string | undefined;
}

/** The time of the next attempt after this many; null if the letter is abandoned. */
export function nextAttempt(attempts: number, now: Date, expiresAt: Date): Date | null {
  const wait = WAITS[attempts - 1];
  if (wait === undefined) return null;
  const next = new Date(now.getTime() + wait * 1000);
  return next < expiresAt ? next : null;
}

/**
 * True if the server will never accept this letter: the recipient is unknown, or the content is refused permanently.
 */
export function isRefusedForGood({ responseCode = 0, command }: SendFailure): boolean {
  return responseCode >= 500 && responseCode < 600 && (command === 'RCPT TO' || command === 'DATA');
}
