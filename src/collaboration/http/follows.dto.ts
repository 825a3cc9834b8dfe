import { ID, TIME } from '../../kernel/http/openapi/examples.js';
import {
  DateField,
  EnumField,
  NestedArrayField,
  NestedField,
  optional,
  StringArrayField,
  StringField,
  UuidField,
} from '../../kernel/http/fields/fields.js';
import { PageDto, PageQuery } from '../../kernel/http/answers/page.js';
import { SHARE_SCOPES, type ShareScope } from '../../privacy/index.js';
import { FOLLOW_STATUSES, type FollowStatus } from '../domain/follow.js';

const MESSAGE = { nullable: true, max: 1_000, example: 'We met at the boat yard.' };

export class CreateFollowBody {
  @StringField({ format: 'uuid', ...ID, description: 'Found by `GET /users?username=`.' })
  target_user_id: string;

  @StringField({ ...MESSAGE, ...optional })
  message?: string | null;
}

class FollowShareBody {
  @EnumField(SHARE_SCOPES, { description: 'The nodes that the follower may read.', example: 'all' })
  scope: ShareScope;

  @StringArrayField({
    ...optional,
    maxItems: 1_000,
    description: 'For the scope specific_tags.',
    example: [],
  })
  tag_ids?: string[];

  @StringArrayField({
    ...optional,
    maxItems: 1_000,
    description: 'For the scope specific_nodes.',
    example: [],
  })
  node_ids?: string[];
}

export class RespondBody {
  @EnumField(['accept', 'decline'], { example: 'accept' })
  action: 'accept' | 'decline';

  @NestedField(() => FollowShareBody, {
    ...optional,
    nullable: true,
    description: 'Required to accept; for reading only.',
  })
  share?: FollowShareBody | null;
}

export class FollowsQuery extends PageQuery {
  @EnumField(FOLLOW_STATUSES, { ...optional, description: 'Only follows in this state.' })
  status?: FollowStatus;
}

class FollowUserDto {
  @UuidField(ID)
  id: string;

  @StringField({ nullable: true, example: 'ines' })
  username: string | null;
}

export class FollowDto {
  @UuidField(ID)
  id: string;

  @UuidField(ID)
  follower_id: string;

  @UuidField(ID)
  target_user_id: string;

  @EnumField(FOLLOW_STATUSES, { example: 'pending' })
  status: FollowStatus;

  @StringField(MESSAGE)
  message: string | null;

  @UuidField({ nullable: true, ...ID, description: 'The read-only share that belongs to the follow.' })
  share_id: string | null;

  @DateField(TIME)
  created_at: Date;

  @DateField({ nullable: true, ...TIME })
  responded_at: Date | null;

  @NestedField(() => FollowUserDto)
  follower: FollowUserDto;

  @NestedField(() => FollowUserDto)
  target: FollowUserDto;
}

export class FollowsDto extends PageDto {
  @NestedArrayField(() => FollowDto)
  follows: FollowDto[];
}

export class EndedFollowDto {
  @UuidField(ID)
  id: string;

  @EnumField(['revoked'], { example: 'revoked' })
  status: 'revoked';

  @StringField({ example: 'Follow ended' })
  message: string;
}
