import {
  DateField,
  EnumField,
  NestedArrayField,
  NestedField,
  optional,
  StringField,
  UuidField,
} from '../../kernel/http/fields/fields.js';
import { NamedDto, NamedUserDto } from '../../kernel/http/answers/names.js';
import { PageDto } from '../../kernel/http/answers/page.js';
import { ID, TIME } from '../../kernel/http/openapi/examples.js';
import { type ConnectionStatus } from '../domain/group.js';
import { MESSAGE } from './groups.dto.js';

export class ConnectBody {
  @StringField({ format: 'uuid', ...ID, description: 'The id of the group, from one of its members.' })
  target_group_id: string;

  @StringField({ ...MESSAGE, ...optional })
  message?: string | null;
}

export class ConnectionDto {
  @UuidField(ID)
  id: string;

  @UuidField(ID)
  group_id: string;

  @UuidField(ID)
  target_group_id: string;

  @EnumField(['pending', 'accepted', 'declined', 'revoked'], { example: 'pending' })
  status: ConnectionStatus;

  @StringField(MESSAGE)
  message: string | null;

  @UuidField(ID)
  requested_by: string;

  @UuidField({ nullable: true, ...ID })
  responded_by: string | null;

  @DateField(TIME)
  created_at: Date;

  @DateField({ nullable: true, example: null })
  responded_at: Date | null;

  @NestedField(() => NamedDto, { nullable: true, description: 'The group that asks.' })
  group: NamedDto | null;

  @NestedField(() => NamedDto, {
    nullable: true,
    description: 'The group that is asked; null for members of the other one unless it has accepted.',
  })
  target_group: NamedDto | null;

  @NestedField(() => NamedUserDto, { nullable: true, description: 'The admin who asks.' })
  requester: NamedUserDto | null;

  @NestedField(() => NamedUserDto, {
    nullable: true,
    description: 'The admin who answered or revoked; null beside a group without a name.',
  })
  responder: NamedUserDto | null;
}

export class ConnectionsDto extends PageDto {
  @NestedArrayField(() => ConnectionDto)
  connections: ConnectionDto[];
}
