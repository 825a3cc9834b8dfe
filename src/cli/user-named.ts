import { type INestApplicationContext } from '@nestjs/common';
import { type User, Users } from '../identity/index.js';
import { UsageError } from './operator.js';

/**
 * The user of an id, a username or an e-mail address. Ids come first: nobody can choose an id, but a username can look
 * like another user's id.
 * @throws UsageError
 */
export async function userNamed(app: INestApplicationContext, name: string): Promise<User> {
  const users = app.get(Users);
  const user =
    (await users.find(name)) ?? (await users.findByUsername(name)) ?? (await users.findByEmail(name))?.user;
  if (!user) throw new UsageError(`there is no user ${name}; create-user makes one`);
  return user;
}
