import { type INestApplicationContext } from '@nestjs/common';
import { type User, Users } from '../identity/index.js';
import { UsageError } from './operator.js';

/** Whom the operator means by a username, an e-mail address or an id. @throws UsageError */
export async function userNamed(app: INestApplicationContext, name: string): Promise<User> {
  const users = app.get(Users);
  const user =
    (await users.findByUsername(name)) ?? (await users.findByEmail(name))?.user ?? (await users.find(name));
  if (!user) throw new UsageError(`there is no user ${name}; create-user makes one`);
  return user;
}
