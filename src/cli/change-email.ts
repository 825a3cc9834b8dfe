import { type INestApplicationContext } from '@nestjs/common';
import { EmailChanges, NewEmailBody } from '../identity/index.js';
import { bind } from '../kernel/http/bodies/binding.js';
import { userNamed } from './user-named.js';

/**
 * The command `change-email`, for a user who has lost their mailbox, or for a service that sends no letters. The
 * operator has made sure who asks, and that the address is theirs. @throws UsageError; VALIDATION_ERROR, EMAIL_EXISTS
 */
export async function changeEmail(
  app: INestApplicationContext,
  name: string,
  email: string,
): Promise<string> {
  bind(NewEmailBody, { email });
  const { id, username } = await userNamed(app, name);
  await app.get(EmailChanges).changeUnasked(id, email);
  return `${email} is the verified address of ${username} (${id}) now.`;
}
