import {
  AnyField,
  BooleanField,
  EnumField,
  IntegerField,
  NestedArrayField,
  NestedField,
  StringArrayField,
  StringField,
  UuidField,
} from '../../kernel/http/fields.js';
import { ID } from '../../kernel/http/examples.js';
import { ACTION_TYPES } from '../domain/proposal-content.js';
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

  @IntegerField({ min: 0, example: 1, description: 'How many changes were taken back.' })
  undone: number;

  @NestedArrayField(() => NotUndoneDto, { example: [] })
  not_undone: NotUndoneDto[];
}

export class FieldDiffDto {
  @StringField({
    example: 'title',
    description: 'Metadata path by path, such as `metadata.properties.status`.',
  })
  field: string;

  @AnyField({
    description:
      'Today, as far as you are shown it. Tags are names, ends of relationships `{id, title}`, schemas `{id, name}`.',
    example: 'Learn to row',
  })
  before: unknown;

  @AnyField({ description: 'With the proposal.', example: 'Learn to sail' })
  after: unknown;

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

export class DiffEntryDto {
  @StringField({ example: 'node-1' })
  action_id: string;

  @EnumField(ACTION_TYPES)
  type: string;

  @EnumField(['node', 'relationship'])
  entity: string;

  @EnumField(['create', 'update', 'delete', 'merge'])
  change: string;

  @UuidField({ nullable, example: null, description: 'Null for what does not exist yet.' })
  entity_id: string | null;

  @StringField({
    nullable,
    example: 'Learn to row',
    description:
      'What the node is called today; null for relationships, for what does not exist yet and for what you are not shown.',
  })
  title: string | null;

  @NestedArrayField(() => NamedNodeDto, {
    optional: true,
    description: 'Of a merge: the nodes that become a part of this one.',
  })
  sources?: NamedNodeDto[];

  @NestedArrayField(() => FieldDiffDto)
  fields: FieldDiffDto[];

  @StringField({ nullable, example: null, description: 'Why this could not be applied today.' })
  error: string | null;
}

class DisclosedToDto {
  @UuidField(ID)
  id: string;

  @StringField({ example: 'Training diary' })
  name: string;
}

class NodeShownAnewDto {
  @UuidField({ nullable, ...ID, description: 'Null for what does not exist yet.' })
  id: string | null;

  @StringField({ example: 'Learn to sail' })
  title: string;

  @BooleanField({ description: 'It cannot read the node now.', example: true })
  newly_readable: boolean;

  @StringArrayField({
    description: 'What it would be shown of it and is not now.',
    example: ['title', 'value'],
  })
  fields: string[];
}

export class DisclosureDto {
  @NestedField(() => DisclosedToDto)
  app: DisclosedToDto;

  @BooleanField({ description: 'It has made the proposal.', example: true })
  is_proposing: boolean;

  @NestedArrayField(() => NodeShownAnewDto)
  nodes: NodeShownAnewDto[];

  @IntegerField({
    min: 0,
    example: 0,
    description: 'How many of the relationships that the proposal makes it would be able to read.',
  })
  relationships: number;

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
  @StringField({ description: 'Where the text stands in this answer.', example: 'entries.0.fields.1.after' })
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

  @NestedArrayField(() => DiffEntryDto)
  entries: DiffEntryDto[];

  @IntegerField({ min: 0, example: 0, description: 'How many fields are in conflict.' })
  conflicts: number;

  @NestedArrayField(() => UnseenWarningDto, {
    description:
      'Texts with characters that are not seen or that change the order in which others are seen: control and format ' +
      'characters, separators of lines. The texts are shown as they are; 100 at most.',
    example: [],
  })
  warnings: UnseenWarningDto[];

  @NestedArrayField(() => ConfusableTagDto, {
    optional: true,
    description:
      'To the user alone: names of tags that would be made and look like the name of a tag that there is.',
    example: [],
  })
  confusable_tags?: ConfusableTagDto[];

  @NestedArrayField(() => DisclosureDto, {
    optional: true,
    description:
      'To the user alone: what apps that are let in would see after it and do not see now. The proposing app comes first, ' +
      'others follow where there is something. That a field they see would say something else is in the entries.',
  })
  disclosures?: DisclosureDto[];

  @BooleanField({
    optional: true,
    description: 'To the user alone. False: there are too many apps or texts to compare all of them here.',
    example: true,
  })
  disclosures_complete?: boolean;
}
