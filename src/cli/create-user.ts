import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { RegisterBody, Users } from '../identity/index.js';
import { bind } from '../kernel/http/bodies/binding.js';
import { print, withService } from './operator.js';

export interface NewUser {
  email: string;
  username: string;
  public: boolean;
  passwordStdin: boolean;
}

/** A generated password of 120 random bits. */
export const newPassword = (): string => randomBytes(15).toString('base64url');

/** Registers a user with the same checks as over HTTP. A generated password is shown this once. */
export async function createUser({
  email,
  username,
  public: isPublic,
  passwordStdin,
}: NewUser): Promise<void> {
  const password = passwordStdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : newPassword();
  const checked = bind(RegisterBody, { email, username, password, is_public: isPublic });
  await withService(async (app) => {
    const user = await app
      .get(Users)
      .register({ email: checked.email, username: checked.username, password, isPublic });
    print(`User ${user.username}, id ${user.id}`);
    if (!passwordStdin) print(`Password ${password}`);
  });
}
