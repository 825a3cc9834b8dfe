import { TIERS } from '../../../config/config.js';
import { isNewEmail } from '../../../kernel/http/fields/checks.js';
import { ID, TIME } from '../../../kernel/http/openapi/examples.js';
import {
  BooleanField,
  DateField,
  EnumField,
  IntegerField,
  NestedField,
  StringField,
  UuidField,
} from '../../../kernel/http/fields/fields.js';
import { USERNAME } from '../../domain/user.js';

export const EMAIL = { max: 254, format: 'email', example: 'alice@example.org' };
const NAME = {
  pattern: USERNAME,
  expected: '3 to 40 letters, digits, _ . or -',
  description: '3 to 40 of `A-Z a-z 0-9 _ . -`, unique without regard to case.',
  example: 'alice',
};
export const NEW_PASSWORD = {
  min: 8,
  max: 200,
  format: 'password',
  description: 'The most common passwords, your e-mail address and your username are refused.',
  example: 'correct horse battery',
};
const GIVEN_PASSWORD = { max: 1000, format: 'password', example: 'correct horse battery' };
export const REFRESH_TOKEN = { max: 200, example: 'pig_refresh_4ZC4n6nDkQd2yNpXw0dW3b1hS7c9uT5rVg8mJqLxEfY' };
/** The way in which a client holds its refresh token. */
export type SessionKind = 'cookie';

/** Takes `cookie` for a page of this service: the answer then has no `refresh_token` (rule 1.24). */
export const SessionField = (): PropertyDecorator =>
  EnumField(['cookie'], {
    optional: true,
    description:
      'Only for pages of this service: `cookie` holds the refresh token in a cookie that no script can read, in the place of ' +
      '`refresh_token`. Pages of other origins are refused (403).',
  });

const PUBLIC = {
  description:
    'Publishes your whole graph: everybody with an account may follow you without a request, and read every node of it, regardless of its tags.',
  example: false,
};

export class RegisterBody {
  @StringField(EMAIL)
  @isNewEmail()
  email: string;

  @StringField(NEW_PASSWORD)
  password: string;

  @StringField(NAME)
  username: string;

  @BooleanField({ ...PUBLIC, default: false })
  is_public: boolean;

  @SessionField()
  session?: SessionKind;
}

/** A password that somebody chooses. */
export class NewPasswordBody {
  @StringField(NEW_PASSWORD)
  password: string;
}

export class LogInBody {
  @StringField(EMAIL)
  email: string;

  @StringField(GIVEN_PASSWORD)
  password: string;

  @StringField({
    ...REFRESH_TOKEN,
    optional: true,
    description:
      'A refresh token that this device had before; it may be used or expired. It shows that the device is known, so that ' +
      'neither failures of strangers nor their requests from the same network make it wait.',
  })
  earlier_refresh_token?: string;

  @SessionField()
  session?: SessionKind;
}

export class RefreshBody {
  @StringField({
    ...REFRESH_TOKEN,
    optional: true,
    description: 'Needed without `session`; with it, the one in the cookie takes its place.',
  })
  refresh_token?: string;

  @SessionField()
  session?: SessionKind;
}

export class UpdateMeBody {
  @StringField({ ...NAME, optional: true })
  username?: string;

  @BooleanField({ ...PUBLIC, optional: true })
  is_public?: boolean;
}

export class ChangePasswordBody {
  @StringField(GIVEN_PASSWORD)
  current_password: string;

  @StringField({ ...NEW_PASSWORD, example: 'a better one than before' })
  new_password: string;
}

export class AccountDto {
  @UuidField(ID)
  id: string;

  @StringField(EMAIL)
  email: string;

  @BooleanField({
    description:
      'A link that was sent to the address was used. Only then can a new password be chosen with a link from an e-mail.',
    example: true,
  })
  email_verified: boolean;

  @StringField(NAME)
  username: string;

  @BooleanField(PUBLIC)
  is_public: boolean;

  @EnumField(TIERS, { example: 'free' })
  tier: string;

  @DateField(TIME)
  created_at: Date;
}

export class TokensDto {
  @StringField({
    description: 'JWT for `Authorization: Bearer`.',
    example: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIwMTk3In0.c2ln',
  })
  access_token: string;

  @StringField({
    ...REFRESH_TOKEN,
    optional: true,
    description: 'Valid for one POST /auth/refresh within 30 days. Absent for a `session` in a cookie.',
  })
  refresh_token?: string;

  @EnumField(['Bearer'], { example: 'Bearer' })
  token_type: 'Bearer';

  @IntegerField({ description: 'Seconds until the access token expires.', example: 900 })
  expires_in: number;
}

export class SignedInDto extends TokensDto {
  @NestedField(() => AccountDto)
  user: AccountDto;
}
