import { type INestApplicationContext } from '@nestjs/common';
import { Apps, Users } from '../identity/index.js';
import { Importer } from '../import/index.js';
import { Database } from '../kernel/database/database.js';
import { UnitOfWork } from '../kernel/change-log/unit-of-work.js';
import { Accesses, Authorizations, ExposureProfiles } from '../privacy/index.js';
import { newPassword } from './create-user.js';
import { demoGraph } from './demo-notes.js';
import { hasUsers } from './first-start.queries.js';
import { UsageError } from './operator.js';

export interface DemoAccount {
  email: string;
  /** Generated, and shown only now. */
  password: string;
  userId: string;
  /** The app's key, for X-API-Key beside the user's id. */
  appKey: string;
}

const NAME = 'demo';
const EVERY_SCHEMA = { schema_ids: [], allow_all: true };
const EVERY_TAG = { tag_ids: [], allow_all: true };

/** True while nobody has an account. */
export function isFirstStart(app: INestApplicationContext): Promise<boolean> {
  return hasUsers(app.get(Database)).then((has) => !has);
}

/**
 * Makes a user with a few nodes, and an app that may read, create, change and propose everything but nodes tagged
 * `private`: enough to try the service with one line of curl.
 * @throws UsageError if there is already a demo user
 */
export async function seedDemo(app: INestApplicationContext): Promise<DemoAccount> {
  const password = newPassword();
  const email = `${NAME}@example.org`;
  const users = app.get(Users);
  // All or nothing: half a demo would count as a user, and no later start would complete it.
  return app.get(UnitOfWork).run(async () => {
    if (await users.findByUsername(NAME)) throw new UsageError(`there is a user ${NAME} already`);
    const { id: userId } = await users.register({ email, username: NAME, password });
    // A new user has no counters before the commit.
    const owner = await app.get(Accesses).ofUser(userId, new Map());
    await app.get(Importer).run(owner, demoGraph(), { collection: NAME });
    return { email, password, userId, appKey: await letDemoAppIn(app, userId) };
  });
}

async function letDemoAppIn(app: INestApplicationContext, userId: string): Promise<string> {
  const { app: made, apiKey } = await app.get(Apps).register(userId, {
    name: 'Demo app',
    description: 'Reads, writes and proposes everything that is not private.',
    homepageUrl: null,
    redirectUris: [],
    clientLevel: 'L2',
    requestedPermissions: {
      tags: { discover: true, read: true, propose: true, create: true, edit: true, write: true },
      files: { read: true },
      schemas: { read: EVERY_SCHEMA, write: EVERY_SCHEMA },
    },
  });
  const { id: profileId } = await app.get(ExposureProfiles).create(userId, {
    name: 'All but private',
    rules: {
      tag_permissions: {
        discover: EVERY_TAG,
        read: EVERY_TAG,
        propose: EVERY_TAG,
        edit: EVERY_TAG,
        create: { ...EVERY_TAG, allow_new: true },
      },
      schema_permissions: { read: EVERY_SCHEMA, write: EVERY_SCHEMA },
      tag_filters: { include_all: [], include_any: [], exclude_any: ['private'] },
    },
  });
  await app.get(Authorizations).approve(userId, {
    appId: made.id,
    profileId,
    customization: null,
    requestVersion: null,
    expiresAt: null,
  });
  return apiKey;
}
