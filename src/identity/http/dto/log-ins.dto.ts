import { ID, TIME } from '../../../kernel/http/openapi/examples.js';
import {
  BooleanField,
  DateField,
  EnumField,
  IntegerField,
  NestedArrayField,
  StringField,
  UuidField,
} from '../../../kernel/http/fields/fields.js';

export class LogInDto {
  @UuidField(ID)
  id: string;

  @DateField(TIME)
  created_at: Date;

  @DateField({ ...TIME, description: 'The last time at which tokens were made for it.' })
  last_used_at: Date;

  @StringField({ nullable: true, description: 'The last user agent of the client.', example: 'Mozilla/5.0' })
  user_agent: string | null;

  @StringField({
    nullable: true,
    description: 'The network of its last use: the /24 of an IPv4 address, the /48 of an IPv6 address.',
    example: '203.0.113.0/24',
  })
  network: string | null;

  @BooleanField({ description: 'True for the calling log-in.', example: true })
  is_current: boolean;
}

export class LogInsDto {
  @NestedArrayField(() => LogInDto, { description: 'The last used first.' })
  sessions: LogInDto[];

  @IntegerField({ min: 0, example: 1 })
  total: number;
}

export class ReauthenticateBody {
  @StringField({ max: 1000, format: 'password', example: 'correct horse battery' })
  password: string;
}

export class AccessTokenDto {
  @StringField({
    description: 'JWT for `Authorization: Bearer`, in place of the one that was sent.',
    example: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIwMTk3In0.c2ln',
  })
  access_token: string;

  @EnumField(['Bearer'], { example: 'Bearer' })
  token_type: 'Bearer';

  @IntegerField({ description: 'Seconds until the access token expires.', example: 900 })
  expires_in: number;
}
