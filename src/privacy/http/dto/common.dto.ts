import { EnumField, IntegerField, LimitField, OffsetField } from '../../../kernel/http/fields.js';
import { AUTHORIZATION_STATUSES, type AuthorizationStatus } from '../../domain/authorization.js';

export const ID = { example: '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f' };
export const TIME = { example: '2026-01-31T12:00:00.000Z' };

export class PageDto {
  @IntegerField({ min: 0, example: 1 })
  total: number;

  @IntegerField({ min: 1, example: 20, description: 'The page size that was applied.' })
  limit: number;

  @IntegerField({ min: 0, example: 0 })
  offset: number;
}

export class AuthorizationsQuery {
  @EnumField(AUTHORIZATION_STATUSES, {
    optional: true,
    description: 'Only those of this status.',
    example: 'active',
  })
  status?: AuthorizationStatus;

  @LimitField({ default: 20, max: 100 })
  limit: number;

  @OffsetField()
  offset: number;
}
