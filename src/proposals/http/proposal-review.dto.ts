import {
  AnyField,
  BooleanField,
  EnumField,
  IntegerField,
  NestedArrayField,
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
  @StringField({ example: 'title' })
  field: string;

  @AnyField({ description: 'Today, as far as you are shown it.', example: 'Learn to row' })
  before: unknown;

  @AnyField({ description: 'With the proposal.', example: 'Learn to sail' })
  after: unknown;

  @BooleanField({ description: 'It has changed since base_version, too.', example: false })
  conflict: boolean;
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

  @NestedArrayField(() => FieldDiffDto)
  fields: FieldDiffDto[];

  @StringField({ nullable, example: null, description: 'Why this could not be applied today.' })
  error: string | null;
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
}
