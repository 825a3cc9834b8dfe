import { ID, TIME } from '../../kernel/http/openapi/examples.js';
import { DateField, NestedArrayField, StringField, UuidField } from '../../kernel/http/fields/fields.js';
import { PageDto } from '../../kernel/http/answers/page.js';

export class BlockedUserDto {
  @UuidField(ID)
  user_id: string;

  @StringField({ nullable: true, example: 'ines' })
  username: string | null;

  @DateField(TIME)
  created_at: Date;
}

export class BlockedUsersDto extends PageDto {
  @NestedArrayField(() => BlockedUserDto)
  blocked_users: BlockedUserDto[];
}

export class UnblockedUserDto {
  @UuidField(ID)
  user_id: string;

  @StringField({ example: 'User unblocked' })
  message: string;
}
