import { ID } from '../../../kernel/http/openapi/examples.js';
import {
  BooleanField,
  NestedArrayField,
  StringField,
  UuidField,
} from '../../../kernel/http/fields/fields.js';

export class UserByNameQuery {
  @StringField({ max: 100, description: 'The exact username.', example: 'alice' })
  username: string;
}

/** The fields of a user that others see. */
export class UserDto {
  @UuidField(ID)
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
