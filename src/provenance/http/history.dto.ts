import { PastNodeDto } from '../../graph/index.js';
import { ID, PRESENT, TIME } from '../../kernel/http/openapi/examples.js';
import {
  BooleanField,
  DateField,
  IntegerField,
  NestedArrayField,
  NestedField,
  ObjectField,
  StringField,
  UuidField,
} from '../../kernel/http/fields/fields.js';
import { FieldsField, ValueLimitField } from '../../kernel/http/lean/lean-fields.js';
import { AppliedLimitField, LimitField, OffsetField, PageDto } from '../../kernel/http/answers/page.js';

const idOrNull = (description: string) => ({ nullable: true, description, example: null });

/** Selects fields of each node as it was. */
export class SnapshotFieldsQuery {
  @FieldsField(() => PastNodeDto, { of: 'snapshots' })
  fields?: string[];

  @ValueLimitField()
  value_limit?: number;
}

export class HistoryQuery extends SnapshotFieldsQuery {
  @LimitField({ default: 100, max: 1000 })
  limit: number;

  @OffsetField()
  offset: number;

  @BooleanField({ default: false, description: 'Include the whole node of that version in each entry.' })
  include_snapshots: boolean;

  @DateField({ optional: true, description: 'Changes at this time or later.' })
  start_date?: Date;

  @DateField({ optional: true, description: 'Changes at this time or before.' })
  end_date?: Date;
}

export class TimelineQuery {
  @StringField({ optional: true, description: 'Only changes of this node.' })
  node_id?: string;

  @LimitField({ default: 100, max: 1000 })
  limit: number;
}

export class AtTimeQuery extends SnapshotFieldsQuery {
  @DateField({
    description: 'ISO 8601; without an offset it is UTC. Write the `+` of an offset as `%2B`.',
    ...PRESENT,
  })
  timestamp: Date;
}

export class HistoryEntryDto {
  @IntegerField({ description: "The node's version that the change made.", example: 2 })
  version: number;

  @StringField(TIME)
  changed_at: string;

  @StringField({
    description:
      'created, updated, deleted, restored, tag_added, tag_removed or merged. A change of tags that are hidden from the caller is `updated`.',
    example: 'updated',
  })
  change_type: string;

  @StringField({ nullable: true, description: 'Shown at full detail only.', example: 'It has begun.' })
  change_reason: string | null;

  @StringField({ description: '`user`, `agent`, `app` or `system`.', example: 'agent' })
  changed_by_type: string;

  @StringField(idOrNull('The user for whom it was done.'))
  changed_by_user_id: string | null;

  @StringField(idOrNull('The app that did it.'))
  changed_by_app_id: string | null;

  @StringField(idOrNull('The agent that was named, as the profile shows agents.'))
  changed_by_agent_id: string | null;

  @StringField(idOrNull('The proposal that was applied.'))
  proposal_id: string | null;

  @ObjectField({ nullable: true, description: 'The agent metadata of the write.', example: null })
  agent_metadata: Record<string, unknown> | null;

  @ObjectField({
    description: 'Field → `{old, new}`, as far as both are shown to the caller.',
    example: { title: { old: 'Learn to sail', new: 'Sail to Corsica' } },
  })
  changed_fields: Record<string, { old?: unknown; new?: unknown }>;

  @NestedField(() => PastNodeDto, { optional: true, description: 'The node as it was then.' })
  snapshot?: PastNodeDto;
}

export class TimelineEntryDto extends HistoryEntryDto {
  @UuidField(ID)
  node_id: string;
}

export class VersionDto extends TimelineEntryDto {
  @NestedField(() => PastNodeDto, { description: 'The node as it was then.' })
  declare snapshot: PastNodeDto;
}

export class VersionAtTimeDto extends VersionDto {
  @StringField({ description: 'The requested time.', ...TIME })
  timestamp: string;
}

export class HistoryDto extends PageDto {
  @UuidField(ID)
  node_id: string;

  @NestedArrayField(() => HistoryEntryDto, { description: 'Newest first.' })
  history: HistoryEntryDto[];
}

export class TimelineDto {
  @NestedArrayField(() => TimelineEntryDto, { description: 'Newest first.' })
  history: TimelineEntryDto[];

  @IntegerField({ description: 'The number of all changes that the caller can read.', example: 1 })
  total: number;

  @AppliedLimitField()
  limit: number;
}
