/** Waits before the second and each further attempt, in seconds. */
const WAITS = [60, 300, 900, 3600, 3 * 3600, 6 * 3600];

/** The way in which sending a letter failed, as far as the transport says. */
export interface SendFailure {
  /** The code of the SMTP server's reply. */
  responseCode?: number | undefined;
  /** The SMTP command that was answered with it. */
  command?: string | undefined;
}

/** The time when a letter is tried again after so many attempts; null: it is given up. */
export function nextAttempt(attempts: number, now: Date, expiresAt: Date): Date | null {
  const wait = WAITS[attempts - 1];
  if (wait === undefined) return null;
  const next = new Date(now.getTime() + wait * 1000);
  return next < expiresAt ? next : null;
}

/** True if the server will never take this letter: it knows no such recipient, or refuses the content for good. */
export function isRefusedForGood({ responseCode = 0, command }: SendFailure): boolean {
  return responseCode >= 500 && responseCode < 600 && (command === 'RCPT TO' || command === 'DATA');
}
