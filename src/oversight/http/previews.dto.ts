import { NodesDto } from '../../graph/index.js';
import { ID } from '../../kernel/http/examples.js';
import {
  BooleanField,
  EnumField,
  IntegerField,
  NestedField,
  nullish,
  StringArrayField,
  StringField,
  UuidField,
} from '../../kernel/http/fields.js';
import { PageQuery } from '../../kernel/http/page.js';
import { DETAIL_LEVELS, type DetailLevel, UpdateProfileBody } from '../../privacy/index.js';

// A malformed id reads as absent: 404, like an unknown one (rule 11).
const REFERENCE = { format: 'uuid' };

/** `limit` and `offset` are those of each list in the answer. */
export class PreviewBody extends PageQuery {
  @StringField({
    ...REFERENCE,
    ...nullish,
    ...ID,
    description: 'Id of an app; without it the app is one that requests everything.',
  })
  app_id?: string | null;

  @NestedField(() => UpdateProfileBody, {
    ...nullish,
    description: 'Changes to the profile, which are not saved: fields as in PUT.',
  })
  profile?: UpdateProfileBody | null;

  @StringField({
    ...REFERENCE,
    ...nullish,
    description:
      'Id of another profile to measure this one against. Without it an edit is measured against the profile as saved.',
    example: null,
  })
  compare_to?: string | null;
}

class VerbCountsDto {
  @IntegerField({ min: 0, example: 40 })
  read: number;

  @IntegerField({ min: 0, example: 12 })
  propose: number;

  @IntegerField({ min: 0, example: 5 })
  edit: number;

  @IntegerField({ min: 0, example: 0 })
  delete: number;
}

class PreviewCountsDto extends VerbCountsDto {
  @IntegerField({ min: 0, description: 'All of your own nodes.', example: 120 })
  nodes: number;
}

class ComparisonDto {
  @UuidField({ ...ID, description: 'The profile that is compared with.' })
  exposure_profile_id: string;

  @NestedField(() => VerbCountsDto, { description: 'Through the profile that is compared with.' })
  counts: VerbCountsDto;

  @NestedField(() => NodesDto, {
    description: 'Read through this profile and not through the other, as shown then.',
  })
  gained: NodesDto;

  @NestedField(() => NodesDto, {
    description: 'Read through the other and not through this, as shown by the other.',
  })
  lost: NodesDto;
}

export class ProfilePreviewDto {
  @UuidField(ID)
  exposure_profile_id: string;

  @UuidField({ ...ID, nullable: true })
  app_id: string | null;

  @BooleanField({ description: 'Whether changes are looked at that are not saved.', example: false })
  is_edited: boolean;

  @StringArrayField({ description: 'What the app could do at all.', example: ['tags.discover', 'tags.read'] })
  permissions: string[];

  @StringArrayField({
    description: 'What the app requests and the profile does not grant: with any of it no app can be let in.',
    example: ['tags.propose'],
  })
  missing: string[];

  @EnumField(DETAIL_LEVELS, { description: 'How much of a readable node is shown.', example: 'summary' })
  max_detail_level: DetailLevel;

  @NestedField(() => PreviewCountsDto, { description: 'On how many of your own nodes each verb is allowed.' })
  counts: PreviewCountsDto;

  @NestedField(() => NodesDto, { description: 'What the app would get from GET /nodes.' })
  sample: NodesDto;

  @NestedField(() => ComparisonDto, {
    nullable: true,
    description: 'Null: there is nothing to compare with.',
  })
  comparison: ComparisonDto | null;
}
