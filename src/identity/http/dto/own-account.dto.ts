import { BooleanField, IntegerField, NestedField } from '../../../kernel/http/fields/fields.js';
import { AccountDto } from './auth.dto.js';

class SecondFactorDto {
  @BooleanField({
    description: 'True if an authenticator app is enrolled: the password alone is not sufficient then.',
    example: true,
  })
  totp: boolean;

  @IntegerField({ min: 0, description: 'The number of unused recovery codes.', example: 10 })
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
    description: 'Relationships that are not deleted, those of deleted nodes included.',
  })
  relationships: QuotaDto;

  @NestedField(() => QuotaDto, { description: 'Tags that are not deleted.' })
  tags: QuotaDto;

  @NestedField(() => QuotaDto, {
    description: 'Tags, deleted ones included, because nodes and rules still name them.',
  })
  all_tags: QuotaDto;

  @NestedField(() => QuotaDto, { description: 'Schemas that are not deleted.' })
  schemas: QuotaDto;

  @NestedField(() => QuotaDto, { description: 'Apps that you have registered.' })
  apps: QuotaDto;

  @NestedField(() => QuotaDto, {
    description: 'Groups that you have made. Each has quotas of its own for its graph.',
  })
  groups: QuotaDto;

  @NestedField(() => QuotaDto, { description: 'Exposure profiles that you have.' })
  exposure_profiles: QuotaDto;

  @NestedField(() => QuotaDto, {
    description:
      'Bytes of all versions of everything in the graph, and of vectors. A deletion frees none: it can be reverted.',
  })
  graph_bytes: QuotaDto;

  @NestedField(() => QuotaDto, {
    description:
      'Bytes of all files, those of deleted nodes included. Replaced content is freed within some hours.',
  })
  file_bytes: QuotaDto;
}

/** An account as its own user sees it. */
export class OwnAccountDto extends AccountDto {
  @NestedField(() => SecondFactorDto)
  second_factor: SecondFactorDto;

  @NestedField(() => QuotasDto, {
    description: 'Writes beyond a limit are refused with 403 `QUOTA_EXCEEDED`.',
  })
  quotas: QuotasDto;
}
