import { DomainError } from '../../kernel/errors/domain-error.js';
import { CHALLENGE_LIFETIME_MS } from './challenge.js';

/** The factors that a person has enrolled beside the password. */
export interface EnrolledFactors {
  /** An authenticator app, confirmed with a code: the password alone is not sufficient. */
  totp: boolean;
  /** The number of unused codes. They replace the app and exist only with it. */
  recoveryCodes: number;
}

/** The proof of a second factor, as a person sends it. */
export type FactorProof = { kind: 'totp'; code: string } | { kind: 'recovery_code'; code: string };

/** The answer to a right password that is not sufficient. */
export const secondFactorRequired = (challenge: string, { recoveryCodes }: EnrolledFactors): DomainError =>
  new DomainError('SECOND_FACTOR_REQUIRED', 'The password is right; the second factor is needed as well', {
    challenge,
    methods: recoveryCodes > 0 ? ['totp', 'recovery_code'] : ['totp'],
    expires_in: CHALLENGE_LIFETIME_MS / 1000,
  });
