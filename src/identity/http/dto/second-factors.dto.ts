import { DomainError } from '../../../kernel/errors/domain-error.js';
import { optional, StringArrayField, StringField } from '../../../kernel/http/fields/fields.js';
import { type FactorProof } from '../../domain/second-factor.js';
import { SessionField, type SessionKind } from './auth.dto.js';

const TOTP_CODE = {
  pattern: /^\d{6}$/,
  expected: 'the six digits that the authenticator app shows',
  example: '287082',
};
export const CHALLENGE_EXAMPLE = 'pig_challenge_9dK2vQmXy7LrT0nBfHs3Wc6ZpUe1Ao8Gi5jN4tRxYqM';

export class TotpCodeBody {
  @StringField({ ...TOTP_CODE, description: 'The current code of the authenticator app.' })
  code: string;
}

/** A proof by exactly one of its fields. */
export class FactorProofBody {
  @StringField({
    ...optional,
    ...TOTP_CODE,
    description: 'The current code of the authenticator app. Each code is valid once.',
  })
  code?: string;

  @StringField({
    ...optional,
    max: 40,
    description: 'In place of `code`: one of the recovery codes, which is used up by it.',
  })
  recovery_code?: string;
}

export class ChallengeAnswerBody extends FactorProofBody {
  @StringField({
    max: 200,
    description: 'From `details` of the `SECOND_FACTOR_REQUIRED` answer.',
    example: CHALLENGE_EXAMPLE,
  })
  challenge: string;
}

export class LogInAnswerBody extends ChallengeAnswerBody {
  @SessionField()
  session?: SessionKind;
}

/** @throws VALIDATION_ERROR (400) unless the body has exactly one of them */
export function proofOf({ code, recovery_code }: FactorProofBody): FactorProof {
  if ((code === undefined) === (recovery_code === undefined))
    throw DomainError.validation('code', 'must be sent, or `recovery_code` in its place, not both');
  return code === undefined
    ? { kind: 'recovery_code', code: recovery_code as string }
    : { kind: 'totp', code };
}

export class BegunTotpDto {
  @StringField({
    description: 'Base32, for typing it into an app; shown only now.',
    example: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  })
  secret: string;

  @StringField({
    description: 'For a QR code; shown only now.',
    example:
      'otpauth://totp/Personal%20Identity%20Graph:alice%40example.org?issuer=Personal%20Identity%20Graph&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30',
  })
  otpauth_url: string;
}

export class RecoveryCodesDto {
  @StringArrayField({
    description: 'Ten codes, each valid once. They are not shown again.',
    example: ['7K3QX-0M9TD', 'D4W0P-RB2ZK'],
  })
  recovery_codes: string[];
}
