import { BooleanField, NestedArrayField, StringField, UuidField } from '../../../kernel/http/fields.js';

export class UserByNameQuery {
  @StringField({ max: 100, description: 'The exact username.', example: 'alice' })
  username: string;
}

/** What users see of each other. */
export class UserDto {
  @UuidField({ example: '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f' })
  id: string;

  @StringField({ example: 'alice' })
  username: string;

  @BooleanField({ example: false })
  is_public: boolean;
}

export class UsersDto {
  @NestedArrayField(() => UserDto, { description: 'One, or none.' })
  users: UserDto[];
}
