import { ApiProperty } from '@nestjs/swagger';
import { ERROR_STATUS, type ErrorCode } from '../errors/catalogue.js';
import { ID } from './examples.js';

class ErrorBody {
  @ApiProperty({ enum: Object.keys(ERROR_STATUS), example: 'VALIDATION_ERROR' })
  code: ErrorCode;

  @ApiProperty({ type: String, example: 'title: title must be a string' })
  message: string;

  @ApiProperty({
    required: false,
    description: 'What is wrong in detail; its form belongs to the code.',
    example: [{ field: 'title', message: 'title must be a string' }],
  })
  details?: unknown;

  @ApiProperty({ type: String, ...ID })
  request_id: string;
}

/** The body of every error but 429 (decisions 11). */
export class ErrorEnvelope {
  @ApiProperty({ type: ErrorBody })
  error: ErrorBody;
}

/** The flat body of 429 (specification, Errors). */
export class RateLimitedBody {
  @ApiProperty({ type: String, example: 'Rate limit exceeded' })
  error: string;

  @ApiProperty({ type: 'integer', description: 'Seconds to wait.', example: 30 })
  retry_after: number;
}
