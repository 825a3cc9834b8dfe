import { NodeDto } from '../../graph/index.js';
import { ID } from '../../kernel/http/openapi/examples.js';
import {
  BooleanField,
  DateField,
  EnumField,
  IntegerField,
  NestedArrayField,
  NestedField,
  StringField,
  UuidField,
} from '../../kernel/http/fields/fields.js';
import { NODE_VERBS, type NodeVerb, type Verdict, VERDICTS } from '../../privacy/index.js';

// A malformed id counts as absent: 404, like an unknown one (rule 11).
const REFERENCE = { format: 'uuid', ...ID };
const RULE = {
  description: 'The field of the profile, of the permissions that the app requests, or of the authorization.',
  example: 'tag_filters.exclude_any',
};

export class ExplainQuery {
  @StringField({ ...REFERENCE, description: 'Id of a node of yours, from GET /nodes.' })
  node_id: string;

  @StringField({
    ...REFERENCE,
    optional: true,
    description: 'Id of an app; without it, an authorized app that requests everything.',
  })
  app_id?: string;
}

class RuleVerdictDto {
  @StringField(RULE)
  rule: string;

  @EnumField(VERDICTS, {
    description:
      'One `refuses` refuses it all. `does_not_apply` and `bypassed` are the ways not taken if a node can be ' +
      'let through in two ways: by its id or by its tags. `not_set`: the rule is empty.',
    example: 'refuses',
  })
  verdict: Verdict;
}

class ExplainedVerbDto {
  @EnumField(NODE_VERBS, { example: 'read' })
  verb: NodeVerb;

  @BooleanField({ example: false })
  allowed: boolean;

  @StringField({
    ...RULE,
    description: 'The first rule that refuses; otherwise the one that allows the node.',
  })
  decided_by: string;

  @NestedArrayField(() => RuleVerdictDto, { description: 'Every rule, in the order of the decision.' })
  rules: RuleVerdictDto[];
}

class ExplainedTagDto {
  @UuidField(ID)
  id: string;

  @StringField({ nullable: true, description: 'Null: the tag is deleted.', example: 'work' })
  name: string | null;

  @BooleanField({ description: 'True if the app sees its name.', example: true })
  shown: boolean;
}

class AppliedTransformationDto {
  @IntegerField({ min: 0, description: 'Place in `transformations` of the profile, from 0.', example: 0 })
  index: number;

  @StringField({ example: 'pii_redaction' })
  type: string;
}

class ExplainedFieldDto {
  @StringField({ example: 'value' })
  field: string;

  @BooleanField({ example: true })
  shown: boolean;

  @EnumField(['max_detail_level', 'transformations'], { nullable: true, example: null })
  hidden_by: 'max_detail_level' | 'transformations' | null;

  @NestedArrayField(() => AppliedTransformationDto, {
    description: 'The transformations that change its value, in their order.',
  })
  transformations: AppliedTransformationDto[];
}

class ExplainedAuthorizationDto {
  @UuidField(ID)
  id: string;

  @EnumField(['active', 'expired'], { example: 'active' })
  status: string;

  @UuidField({ ...ID, description: 'The profile of the authorization.' })
  exposure_profile_id: string;

  @DateField({ nullable: true, example: null })
  expires_at: Date | null;
}

export class ExplanationDto {
  @UuidField(ID)
  exposure_profile_id: string;

  @UuidField(ID)
  node_id: string;

  @UuidField({ ...ID, nullable: true })
  app_id: string | null;

  @NestedField(() => ExplainedAuthorizationDto, {
    nullable: true,
    description: 'Null: the app is not authorized.',
  })
  authorization: ExplainedAuthorizationDto | null;

  @NestedArrayField(() => ExplainedVerbDto)
  verbs: ExplainedVerbDto[];

  @NestedArrayField(() => ExplainedTagDto)
  tags: ExplainedTagDto[];

  @NestedArrayField(() => ExplainedFieldDto, {
    description: 'The outcome for each field of a readable node.',
  })
  fields: ExplainedFieldDto[];

  @NestedField(() => NodeDto, {
    nullable: true,
    description: 'The node as the app is shown it; null when it may not read it.',
  })
  shown_as: NodeDto | null;
}
