import { type INestApplicationContext } from '@nestjs/common';
import { text } from 'node:stream/consumers';
import { Accounts, NewPasswordBody, PasswordResets, SecondFactors } from '../identity/index.js';
import { bind } from '../kernel/http/binding.js';
import { newPassword } from './create-user.js';
import { userNamed } from './user-named.js';

interface Reset {
  name: string;
  /** Read from standard input; otherwise one is made. */
  isGiven: boolean;
  /** The password alone lets them in again: for somebody who has lost the authenticator app and the recovery codes. */
  removesSecondFactors: boolean;
}

/**
 * The command `reset-password`, for somebody who cannot log in any more: every log-in and passkey of theirs ends. The operator has
 * made sure who asks. @returns what it did @throws UsageError; VALIDATION_ERROR for a password that is refused
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

/** A link for the person to choose a password; it ends their earlier links. Nothing else changes until it is used. */
export async function resetLink(app: INestApplicationContext, name: string): Promise<string[]> {
  const user = await userNamed(app, name);
  const link = await app.get(PasswordResets).linkFor(user);
  return [`For ${user.username} (${user.id}), once and within an hour:`, link];
}
