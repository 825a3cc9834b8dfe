import { type INestApplicationContext } from '@nestjs/common';
import { Users } from '../identity/index.js';
import { userNamed } from './user-named.js';

/** The command `verify-email`: the operator has made sure that the address is the person's. @throws UsageError */
export async function verifyEmail(app: INestApplicationContext, name: string): Promise<string> {
  const { id, username, email } = await userNamed(app, name);
  await app.get(Users).verifyEmail(id);
  return `${email} is the verified address of ${username} (${id}).`;
}
