import { BooleanField, IntegerField, NestedField } from '../../../kernel/http/fields.js';
import { AccountDto } from './auth.dto.js';

class SecondFactorDto {
  @BooleanField({
    description: 'Whether an authenticator app is enrolled: then the password alone logs nobody in.',
    example: true,
  })
  totp: boolean;

  @IntegerField({ min: 0, description: 'How many recovery codes were not used yet.', example: 10 })
  recovery_codes_left: number;
}

class QuotaDto {
  @IntegerField({ min: 0, nullable: true, description: 'Null: without limit.', example: 250_000 })
  limit: number | null;

  @IntegerField({ min: 0, example: 1_204 })
  used: number;
}

class QuotasDto {
  @NestedField(() => QuotaDto, { description: 'Nodes that are not deleted.' })
  nodes: QuotaDto;

  @NestedField(() => QuotaDto, {
    description: 'Relationships that are not deleted, those of deleted nodes too.',
  })
  relationships: QuotaDto;

  @NestedField(() => QuotaDto, { description: 'Tags that are not deleted.' })
  tags: QuotaDto;

  @NestedField(() => QuotaDto, { description: 'Schemas that are not deleted.' })
  schemas: QuotaDto;

  @NestedField(() => QuotaDto, { description: 'Apps that you have registered.' })
  apps: QuotaDto;

  @NestedField(() => QuotaDto, {
    description: 'Groups that you have made. Each has quotas of its own for its graph.',
  })
  groups: QuotaDto;

  @NestedField(() => QuotaDto, {
    description:
      'Bytes of all versions of all that is in the graph, and of vectors. A deletion frees none: it can be taken back.',
  })
  graph_bytes: QuotaDto;

  @NestedField(() => QuotaDto, {
    description:
      'Bytes of all files, those of deleted nodes too. Content that was replaced is freed within some hours.',
  })
  file_bytes: QuotaDto;
}

/** An account to its own user. */
export class OwnAccountDto extends AccountDto {
  @NestedField(() => SecondFactorDto)
  second_factor: SecondFactorDto;

  @NestedField(() => QuotasDto, {
    description: 'Writes beyond a limit are refused with 403 `QUOTA_EXCEEDED`.',
  })
  quotas: QuotasDto;
}
