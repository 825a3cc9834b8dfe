import {
  AnyField,
  BooleanField,
  EnumField,
  IntegerField,
  NestedArrayField,
  NestedField,
  NumberField,
  StringArrayField,
  StringField,
  UuidField,
} from '../../kernel/http/fields/fields.js';
import { SIMILAR_REASONS } from '../../graph/index.js';
import { ID } from '../../kernel/http/openapi/examples.js';
import { ACTION_TYPES, LIMITS } from '../domain/proposal-content.js';
import { PROPOSAL_STATUSES } from '../domain/proposal-status.js';

const nullable = true;

class NotUndoneDto {
  @EnumField(['node', 'relationship', 'tag'])
  entity: string;

  @UuidField(ID)
  id: string;

  @StringField({ example: 'It has changed since' })
  reason: string;

  @StringArrayField({
    optional: true,
    description: 'Only these fields stay as they are.',
    example: ['title'],
  })
  fields?: string[];
}

export class RevertedProposalDto {
  @EnumField(['APPLIED'])
  status: string;

  @StringField({ example: 'Proposal undone' })
  message: string;

  @UuidField(ID)
  id: string;

  @IntegerField({ min: 0, example: 1, description: 'The number of reverted changes.' })
  undone: number;

  @NestedArrayField(() => NotUndoneDto, { example: [] })
  not_undone: NotUndoneDto[];
}

export class FieldDiffDto {
  @StringField({
    example: 'title',
    description:
      'Metadata path by path, such as `metadata.properties.status`; a key with a dot or a quote is quoted: `metadata."a.b"`.',
  })
  field: string;

  @AnyField({
    optional: true,
    description:
      'The current value, as far as you are shown it. Tags are names, ends of relationships `{id, title}`, schemas `{id, name}`. ' +
      'Absent where the entry omits values.',
    example: 'Learn to row',
  })
  before?: unknown;

  @AnyField({
    optional: true,
    description: 'The value with the proposal. Absent where the entry omits values.',
    example: 'Learn to sail',
  })
  after?: unknown;

  @BooleanField({
    description: 'It has changed since the action was proposed, or since its base_version.',
    example: false,
  })
  conflict: boolean;
}

export class NamedNodeDto {
  @UuidField(ID)
  id: string;

  @StringField({ nullable, example: 'Learn to row', description: 'Null where you are not shown it.' })
  title: string | null;
}

class SimilarToEntryDto extends NamedNodeDto {
  @NumberField({ min: 0, max: 1, example: 0.93, description: 'The likeness of the titles.' })
  similarity: number;

  @EnumField(SIMILAR_REASONS, { example: 'similar_title' })
  reason: (typeof SIMILAR_REASONS)[number];
}

export class DiffEntryDto {
  @StringField({ example: 'node-1' })
  action_id: string;

  @EnumField(ACTION_TYPES)
  type: string;

  @EnumField(['node', 'relationship'])
  entity: string;

  @EnumField(['create', 'update', 'delete', 'merge'])
  change: string;

  @UuidField({ nullable, example: null, description: 'Null for a node that does not exist yet.' })
  entity_id: string | null;

  @StringField({
    nullable,
    example: 'Learn to row',
    description:
      'The current title of the node; null for relationships, for nodes that do not exist yet and for hidden ones.',
  })
  title: string | null;

  @NestedArrayField(() => NamedNodeDto, {
    optional: true,
    description: 'For a merge: the nodes that are merged into this one.',
  })
  sources?: NamedNodeDto[];

  @NestedArrayField(() => SimilarToEntryDto, {
    optional: true,
    description:
      'Shown only to the user, for a node that is created or renamed: up to three nodes with the same or nearly the same ' +
      'title, which this may add a second time. Of one diff the first ten titles are compared.',
    example: [],
  })
  similar_nodes?: SimilarToEntryDto[];

  @NestedArrayField(() => FieldDiffDto)
  fields: FieldDiffDto[];

  @StringField({ nullable, example: null, description: 'The reason that this could not be applied now.' })
  error: string | null;

  @BooleanField({
    description:
      'True: the answer is full, and the fields are listed without their values. Request them by `action_id`, those of a ' +
      'merge by `entity_id` in addition.',
    example: false,
  })
  values_omitted: boolean;
}

export class ProposalDiffQuery {
  @StringField({
    optional: true,
    min: 1,
    max: LIMITS.id,
    description: 'Compares this action only.',
    example: 'node-1',
  })
  action_id?: string;

  @UuidField({
    optional: true,
    ...ID,
    description: 'Lists only the entries about this node or relationship.',
  })
  entity_id?: string;
}

class DisclosedToDto {
  @UuidField(ID)
  id: string;

  @StringField({ example: 'Training diary' })
  name: string;
}

class NodeShownAnewDto {
  @UuidField({ nullable, ...ID, description: 'Null for a node that does not exist yet.' })
  id: string | null;

  @StringField({ example: 'Learn to sail' })
  title: string;

  @BooleanField({ description: 'It cannot read the node now.', example: true })
  newly_readable: boolean;

  @StringArrayField({
    description:
      'The fields that it would newly be shown; of one field at most 50 paths, of at most 200 characters.',
    example: ['title', 'value'],
  })
  fields: string[];

  @BooleanField({
    description:
      'It could read more of earlier versions of the node, or of contributions to them, than now: nothing hides them after this. ' +
      'Their contents are not compared.',
    example: false,
  })
  earlier_versions: boolean;
}

export class DisclosureDto {
  @NestedField(() => DisclosedToDto)
  app: DisclosedToDto;

  @BooleanField({ description: 'True for the app that made the proposal.', example: true })
  is_proposing: boolean;

  @NestedArrayField(() => NodeShownAnewDto)
  nodes: NodeShownAnewDto[];

  @IntegerField({
    min: 0,
    example: 0,
    description:
      'The number of relationships that it could newly read: new ones, and existing ones at nodes that are changed or merged.',
  })
  relationships: number;

  @IntegerField({
    min: 0,
    example: 0,
    description:
      'The number of relationships that it reads now, and of which it would newly be shown the type, the emotion or the ' +
      'context, because the nodes at their ends are changed or merged.',
  })
  relationship_texts: number;

  @StringField({ example: 'After this, Training diary can read 1 more node.' })
  summary: string;
}

class ConfusableTagDto {
  @StringField({ example: 'pr1vate' })
  name: string;

  @StringField({ example: 'private' })
  confusable_with: string;
}

export class UnseenWarningDto {
  @StringField({
    description: 'The place of the text among the entries of this answer, also where its entry omits values.',
    example: 'entries.0.fields.1.after',
  })
  path: string;

  @StringArrayField({ example: ['U+202E RIGHT-TO-LEFT OVERRIDE'] })
  characters: string[];
}

export class ProposalDiffDto {
  @UuidField(ID)
  proposal_id: string;

  @EnumField(PROPOSAL_STATUSES)
  status: string;

  @IntegerField({ min: 1, example: 1 })
  revision: number;

  @NestedArrayField(() => DiffEntryDto, {
    description:
      'All entries, in order. When their values reach 4 MiB, further entries omit them (`values_omitted`), and beyond 4 MiB ' +
      'of names of fields also the fields.',
  })
  entries: DiffEntryDto[];

  @IntegerField({ min: 0, example: 0, description: 'The number of fields in conflict.' })
  conflicts: number;

  @NestedArrayField(() => UnseenWarningDto, {
    description:
      'Texts with characters that are invisible or that change the displayed order of others: control and format ' +
      'characters, separators of lines. The texts are shown as they are; 100 at most. Omitted values count, too, and so ' +
      "do the proposal's own title, description and reasoning metadata, except in an excerpt.",
    example: [],
  })
  warnings: UnseenWarningDto[];

  @NestedArrayField(() => ConfusableTagDto, {
    optional: true,
    description: 'Shown only to the user: names of new tags that look like the name of an existing tag.',
    example: [],
  })
  confusable_tags?: ConfusableTagDto[];

  @NestedArrayField(() => DisclosureDto, {
    optional: true,
    description:
      'Shown only to the user: the nodes and fields that authorized apps would newly see. The proposing app comes first, ' +
      'others follow if they would see more. Changes of fields that they already see are in the entries. Absent in an ' +
      'answer about one action or entity.',
  })
  disclosures?: DisclosureDto[];

  @BooleanField({
    optional: true,
    description:
      'Shown only to the user, with the disclosures. False: there are too many apps or texts to compare all of them here. ' +
      'Such a proposal is applied by the user alone; when an app applies it, it fails.',
    example: true,
  })
  disclosures_complete?: boolean;
}
