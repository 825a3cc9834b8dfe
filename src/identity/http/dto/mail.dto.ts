import { isEmail, isNewEmail } from '../../../kernel/http/fields/checks.js';
import { StringField } from '../../../kernel/http/fields/fields.js';
import { EMAIL, NEW_PASSWORD } from './auth.dto.js';

const LINK_TOKEN = {
  max: 200,
  description: 'The text after `=` in the link in the e-mail.',
  example: 'pig_mail_4ZC4n6nDkQd2yNpXw0dW3b1hS7c9uT5rVg8mJqLxEfY',
};

export class EmailBody {
  @StringField(EMAIL)
  @isEmail()
  email: string;
}

export class NewEmailBody {
  @StringField(EMAIL)
  @isNewEmail()
  email: string;
}

export class ChangeEmailBody extends NewEmailBody {
  @StringField({ max: 1000, format: 'password', example: 'correct horse battery' })
  password: string;
}

export class LetterOnItsWayDto {
  @StringField({ example: 'If the address is the verified one of an account, an e-mail is on its way to it' })
  message: string;
}

export class LinkBody {
  @StringField(LINK_TOKEN)
  token: string;
}

export class ResetPasswordBody extends LinkBody {
  @StringField({ ...NEW_PASSWORD, example: 'a better one than before' })
  new_password: string;
}
