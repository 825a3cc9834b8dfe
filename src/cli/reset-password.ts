import { type INestApplicationContext } from '@nestjs/common';
import { text } from 'node:stream/consumers';
import { Accounts, NewPasswordBody, PasswordResets, SecondFactors } from '../identity/index.js';
import { bind } from '../kernel/http/bodies/binding.js';
import { newPassword } from './create-user.js';
import { userNamed } from './user-named.js';

interface Reset {
  name: string;
  /** True if it is read from standard input; otherwise one is generated. */
  isGiven: boolean;
  /**
   * True to let them log in with the password alone, after they have lost the authenticator app and the recovery codes.
   */
  removesSecondFactors: boolean;
}

/**
 * The command `reset-password`, for a user who can no longer log in: it ends all their log-ins and removes their
 * passkeys. The operator has made sure who asks. @returns lines for the operator @throws UsageError; VALIDATION_ERROR
 * for an invalid password
 */
export async function resetPassword(
  app: INestApplicationContext,
  { name, isGiven, removesSecondFactors }: Reset,
): Promise<string[]> {
  const user = await userNamed(app, name);
  const password = isGiven ? (await text(process.stdin)).replace(/\r?\n$/, '') : newPassword();
  bind(NewPasswordBody, { password });
  const accounts = app.get(Accounts);
  await accounts.withoutPassword(user.id, async () => {
    await accounts.setPassword(user, password);
    if (removesSecondFactors) await app.get(SecondFactors).removeAll(user.id);
  });
  return [
    `The password of ${user.username} (${user.id}) is a new one; they are logged out everywhere, and their passkeys are removed.`,
    ...(removesSecondFactors ? ['Their second factors are removed: the password alone lets them in.'] : []),
    ...(isGiven ? [] : [`Password ${password}`]),
  ];
}

/** A link with which a user chooses a password; it ends their earlier links. Nothing else changes until it is used. */
export async function resetLink(app: INestApplicationContext, name: string): Promise<string[]> {
  const user = await userNamed(app, name);
  const link = await app.get(PasswordResets).linkFor(user);
  return [`For ${user.username} (${user.id}), once and within an hour:`, link];
}
