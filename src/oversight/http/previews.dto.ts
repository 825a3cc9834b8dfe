import { ListedNodeDto, NodesDto } from '../../graph/index.js';
import { ID } from '../../kernel/http/openapi/examples.js';
import {
  BooleanField,
  EnumField,
  IntegerField,
  NestedField,
  nullish,
  StringArrayField,
  StringField,
  UuidField,
} from '../../kernel/http/fields/fields.js';
import { PageQuery } from '../../kernel/http/answers/page.js';
import { FieldsListField, ValueLimitField } from '../../kernel/http/lean/lean-fields.js';
import { DETAIL_LEVELS, type DetailLevel, UpdateProfileBody, VerbCountsDto } from '../../privacy/index.js';

// A malformed id counts as absent: 404, like an unknown one (rule 11).
const REFERENCE = { format: 'uuid' };

/** `limit` and `offset` apply to each list in the answer. */
export class PreviewQuestion extends PageQuery {
  @StringField({
    ...REFERENCE,
    ...nullish,
    ...ID,
    description: 'Id of an app; without it the app is one that requests everything.',
  })
  app_id?: string | null;

  @StringField({
    ...REFERENCE,
    ...nullish,
    description:
      'Id of another profile to compare with. Without it an edit is compared with the profile as saved.',
    example: null,
  })
  compare_to?: string | null;

  @FieldsListField(() => ListedNodeDto)
  fields?: string[];

  @ValueLimitField({ default: 200 })
  value_limit: number;
}

export class PreviewBody extends PreviewQuestion {
  @NestedField(() => UpdateProfileBody, {
    ...nullish,
    description: 'Changes to the profile, which are not saved: fields as in PUT.',
  })
  profile?: UpdateProfileBody | null;
}

export class DraftPreviewBody extends PreviewQuestion {
  @NestedField(() => UpdateProfileBody, {
    description: 'The profile, which is not saved: fields as in POST; it needs no name.',
  })
  profile: UpdateProfileBody;
}

class PreviewCountsDto extends VerbCountsDto {
  @IntegerField({ min: 0, description: 'All of your own nodes.', example: 120 })
  nodes: number;
}

class ComparisonDto {
  @UuidField({ ...ID, description: 'The profile of the comparison.' })
  exposure_profile_id: string;

  @NestedField(() => VerbCountsDto, { description: 'Counts for that profile.' })
  counts: VerbCountsDto;

  @NestedField(() => NodesDto, {
    description:
      'Nodes that are readable through this profile and not through the other, as this one shows them.',
  })
  gained: NodesDto;

  @NestedField(() => NodesDto, {
    description:
      'Nodes that are readable through the other and not through this one, as the other shows them.',
  })
  lost: NodesDto;
}

class PreviewDto {
  @UuidField({ ...ID, nullable: true })
  app_id: string | null;

  @BooleanField({
    description: 'True if the preview includes unsaved changes of a saved profile.',
    example: false,
  })
  is_edited: boolean;

  @StringArrayField({
    description: 'The effective permissions of the app.',
    example: ['tags.discover', 'tags.read'],
  })
  permissions: string[];

  @StringArrayField({
    description:
      'Permissions that the app requests and the profile does not grant; an app with any of them cannot be authorized.',
    example: ['tags.propose'],
  })
  missing: string[];

  @EnumField(DETAIL_LEVELS, { description: 'The detail level at which nodes are shown.', example: 'summary' })
  max_detail_level: DetailLevel;

  @NestedField(() => PreviewCountsDto, { description: 'The number of your own nodes for each verb.' })
  counts: PreviewCountsDto;

  @NestedField(() => NodesDto, { description: 'The nodes that GET /nodes would give the app.' })
  sample: NodesDto;

  @NestedField(() => ComparisonDto, {
    nullable: true,
    description: 'Null: there is nothing to compare with.',
  })
  comparison: ComparisonDto | null;
}

export class ProfilePreviewDto extends PreviewDto {
  @UuidField(ID)
  exposure_profile_id: string;
}

export class DraftPreviewDto extends PreviewDto {
  @UuidField({ ...ID, nullable: true, description: 'Null: the profile is not saved.', example: null })
  exposure_profile_id: null;
}
