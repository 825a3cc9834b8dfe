import { type INestApplicationContext } from '@nestjs/common';
import { type Tier } from '../config/config.js';
import { Apps, Users } from '../identity/index.js';
import { UsageError } from './operator.js';
import { userNamed } from './user-named.js';

interface TierChange {
  kind: 'app' | 'user';
  name: string;
  tier: Tier;
}

/** The command `set-tier`. @returns a line for the operator @throws UsageError */
export async function setTier(
  app: INestApplicationContext,
  { kind, name, tier }: TierChange,
): Promise<string> {
  if (kind === 'user') {
    const user = await userNamed(app, name);
    await app.get(Users).setTier(user.id, tier);
    return changed(`user ${user.username} (${user.id})`, user.tier, tier);
  }
  const found = await app.get(Apps).find(name);
  if (!found) throw new UsageError(`there is no app with the id ${name}`);
  await app.get(Apps).setTier(found.id, tier);
  return changed(`app ${found.name} (${found.id})`, found.tier, tier);
}

const changed = (whose: string, before: Tier, after: Tier): string =>
  before === after
    ? `The tier of ${whose} was ${after} already.`
    : `The tier of ${whose} is ${after} now, it was ${before}.`;
