import { type INestApplicationContext } from '@nestjs/common';
import { Users } from '../identity/index.js';
import { print } from './operator.js';

const BATCH = 1_000;

/** The command `list-users`: one line for each user, the oldest account first, for people and for `cut` and `grep`. */
export async function listUsers(app: INestApplicationContext): Promise<void> {
  const users = app.get(Users);
  print(['id', 'username', 'e-mail', 'tier', 'created'].join('\t'));
  let last: { createdAt: Date; id: string } | null = null;
  do {
    const batch = await users.oldest({ after: last, limit: BATCH });
    for (const { id, username, email, tier, createdAt } of batch)
      print([id, username, email, tier, createdAt.toISOString()].join('\t'));
    last = batch.length < BATCH ? null : (batch.at(-1) ?? null);
  } while (last !== null);
}
