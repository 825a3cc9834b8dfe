import { ID, TIME } from '../../kernel/http/openapi/examples.js';
import {
  EnumField,
  IntegerField,
  NestedArrayField,
  NestedField,
  StringField,
  UuidField,
} from '../../kernel/http/fields/fields.js';
import { LimitField, OffsetField, PageDto } from '../../kernel/http/answers/page.js';
import { SESSION_STATUSES, type SessionStatus } from '../domain/session.js';

export class SessionsQuery {
  @EnumField([...SESSION_STATUSES, 'all'], { default: 'all', description: 'Only sessions in this state.' })
  status: SessionStatus | 'all';

  @LimitField({ default: 50, max: 200 })
  limit: number;

  @OffsetField()
  offset: number;
}

export class BeginSessionBody {
  @StringField({
    optional: true,
    min: 1,
    max: 500,
    description: 'The name that writes use in `agent_metadata.session_id`; its own id works as well.',
    example: 'import-2026-01',
  })
  external_id?: string;

  @UuidField({ optional: true, ...ID })
  agent_id?: string;

  @StringField({ optional: true, min: 1, max: 200, example: 'note-reader' })
  agent_name?: string;
}

export class AdvanceSessionBody {
  @EnumField(SESSION_STATUSES, { example: 'completed' })
  status: SessionStatus;

  @StringField({
    optional: true,
    nullable: true,
    max: 2000,
    description: 'The error that ended it.',
    example: null,
  })
  error?: string | null;
}

class SessionStatisticsDto {
  @IntegerField({ example: 4 })
  total_contributions: number;

  @IntegerField({ example: 2 })
  unique_nodes: number;

  @IntegerField({ example: 1 })
  unique_contributors: number;
}

export class SessionDto {
  @UuidField(ID)
  id: string;

  @StringField({ nullable: true, example: 'import-2026-01' })
  external_id: string | null;

  @EnumField(SESSION_STATUSES, { example: 'processing' })
  status: SessionStatus;

  @StringField({ nullable: true, example: null })
  agent_id: string | null;

  @StringField({ nullable: true, example: 'note-reader' })
  agent_name: string | null;

  @StringField({ nullable: true, description: 'The app that began it; null: the user.', example: null })
  app_id: string | null;

  @StringField({ nullable: true, ...TIME })
  created_at: string | null;

  @StringField({ nullable: true, ...TIME })
  started_at: string | null;

  @StringField({ nullable: true, example: null })
  completed_at: string | null;

  @StringField({ nullable: true, example: null })
  error: string | null;

  @NestedField(() => SessionStatisticsDto, { description: 'Counts only nodes that the caller can read.' })
  statistics: SessionStatisticsDto;
}

export class SessionsDto extends PageDto {
  @NestedArrayField(() => SessionDto, { description: 'Newest first.' })
  sessions: SessionDto[];
}
