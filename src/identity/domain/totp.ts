import { Secret, TOTP } from 'otpauth';

const STEP_MS = 30_000;
/** Clocks of phones are slightly off, and a code is typed while its step ends (RFC 6238, 5.2). */
const DRIFT_STEPS = 1;
const ISSUER = 'Personal Identity Graph';

/** The time for which an enrolment waits for its first code. */
export const ENROLMENT_LIFETIME_MS = 10 * 60 * 1000;

/** A person's authenticator app as it is stored, with the secret in base32. */
export interface TotpFactor {
  secret: string;
  begunAt: Date;
  /** Null: no code was sent yet, and the factor is not active. */
  confirmedAt: Date | null;
  /** The last time step whose code was accepted. */
  lastStep: number | null;
}

/** A new secret of 160 bits (RFC 4226, 4: R6), in base32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

/** The address that authenticator apps read from a QR code. */
export const otpauthUrl = (secret: string, account: string): string => totp(secret, account).toString();

/**
 * The time step of a code, for storing as the last one.
 * @returns null for a wrong code, and for one whose step, or a later one, was accepted already (RFC 6238, 5.2;
 *   rule 1.20b)
 */
export function acceptedStep(
  { secret, lastStep }: Pick<TotpFactor, 'secret' | 'lastStep'>,
  code: string,
  now: Date,
): number | null {
  const timestamp = now.getTime();
  const drift = totp(secret).validate({ token: code, timestamp, window: DRIFT_STEPS });
  if (drift === null) return null;
  const step = Math.floor(timestamp / STEP_MS) + drift;
  return lastStep !== null && step <= lastStep ? null : step;
}

const totp = (secret: string, label = ''): TOTP =>
  new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), period: STEP_MS / 1000 });
