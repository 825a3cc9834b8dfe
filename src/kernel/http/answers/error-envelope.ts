import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { ERROR_STATUS, type ErrorCode } from '../../errors/catalogue.js';
import { type DomainError } from '../../errors/domain-error.js';
import { ID } from '../openapi/examples.js';

class ErrorBody {
  @ApiProperty({ enum: Object.keys(ERROR_STATUS), example: 'VALIDATION_ERROR' })
  code: ErrorCode;

  @ApiProperty({ type: String, example: 'title: must be a string' })
  message: string;

  @ApiProperty({
    required: false,
    description: 'Details of the error; their form depends on the code.',
    oneOf: [
      { type: 'array', items: { type: 'object', additionalProperties: true } },
      { type: 'object', additionalProperties: true },
    ],
    example: [{ field: 'title', message: 'must be a string' }],
  })
  details?: unknown;

  @ApiProperty({ type: String, ...ID })
  request_id: string;
}

/** The body of every error but 429 (rule 11.1). */
export class ErrorEnvelope {
  @ApiProperty({ type: ErrorBody })
  error: ErrorBody;
}

export const envelopeOf = ({ code, message, details }: DomainError, requestId: string): ErrorEnvelope => ({
  error: { code, message, ...(details === undefined ? {} : { details }), request_id: requestId },
});

/** The flat body of 429 (specification, Errors). */
export class RateLimitedBody {
  @ApiProperty({ type: String, example: 'Rate limit exceeded' })
  error: string;

  @ApiProperty({ type: 'integer', description: 'Seconds to wait.', example: 30 })
  retry_after: number;
}

/** The body of the errors of OAuth's endpoints (RFC 6749, 5.2). */
export class OAuthErrorBody {
  @ApiProperty({ type: String, example: 'invalid_request' })
  error: string;

  @ApiProperty({ type: String, example: 'grant_type is missing' })
  error_description: string;
}

const REQUEST_ID = '5b0c2f3e-8a41-4d57-9d53-1a2b3c4d5e6f';
const WRONG_FIELD = { field: 'name', message: 'must be a string' };

/** Schema and an example for each code, for one status of an operation's documentation. */
export function errorContent(
  status: number,
  codes: readonly ErrorCode[],
): { schema: object; examples: Record<string, object> } {
  if (status === 429) {
    const value = { error: 'Rate limit exceeded', retry_after: 30 };
    return { schema: { $ref: getSchemaPath(RateLimitedBody) }, examples: { RATE_LIMITED: { value } } };
  }
  const exampleOf = (code: ErrorCode): object => ({
    value: {
      error: {
        code,
        message: code === 'VALIDATION_ERROR' ? `${WRONG_FIELD.field}: ${WRONG_FIELD.message}` : inWords(code),
        ...(code === 'VALIDATION_ERROR' ? { details: [WRONG_FIELD] } : {}),
        request_id: REQUEST_ID,
      },
    },
  });
  return {
    schema: { $ref: getSchemaPath(ErrorEnvelope) },
    examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code)])),
  };
}

/** The same for the codes of OAuth. */
export function oauthErrorContent(codes: readonly string[]): ReturnType<typeof errorContent> {
  const exampleOf = (code: string) => ({ value: { error: code, error_description: inWords(code) } });
  return {
    schema: { $ref: getSchemaPath(OAuthErrorBody) },
    examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code)])),
  };
}

const inWords = (code: string): string =>
  code.charAt(0).toUpperCase() + code.slice(1).toLowerCase().replaceAll('_', ' ');
