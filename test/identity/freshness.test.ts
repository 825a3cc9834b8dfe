import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { Config } from '../../src/config/config.js';
import { Users } from '../../src/identity/index.js';
import { Client } from '../support/client.js';
import { onPostgres } from '../support/database.js';
import { type TestUser, World } from '../support/world.js';

const JWT_PRIVATE_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

/**
 * The next request sees every change, in every process (rule 2.8). The embedded database has one process only; there
 * both clients speak to it.
 */
describe('two processes', () => {
  let world: World;
  let second: World | null = null;
  let dev: TestUser;
  beforeAll(async () => {
    world = await World.startHere({ JWT_PRIVATE_KEY });
    const url = world.nest.get(Config).databaseUrl as string;
    if (onPostgres) second = await World.startHere({ JWT_PRIVATE_KEY, DATABASE_URL: url });
    dev = await world.user();
  });
  afterAll(async () => {
    await second?.stop();
    await world.stop();
  });
  const elsewhere = (credentials: Record<string, string>) =>
    new Client((second ?? world).origin, credentials);

  it('cached credentials end with the key that is deleted', async () => {
    const app = (await dev.post('/apps', { name: 'App', requested_permissions: {} })).body;
    for (let round = 0; round < 20; round++) {
      const key = (await dev.post(`/apps/${app.id}/keys`, {})).body;
      const clients = [
        new Client(world.origin, { 'X-API-Key': key.api_key }),
        elsewhere({ 'X-API-Key': key.api_key }),
      ];
      for (const client of clients) expect((await client.get('/apps/current')).status).toBe(200);
      expect((await dev.delete(`/apps/${app.id}/keys/${key.id}`)).status).toBe(204);
      for (const client of clients) expect((await client.get('/apps/current')).status).toBe(401);
    }
  });

  it('cached credentials follow every change of an app', async () => {
    const app = (await dev.post('/apps', { name: 'App', requested_permissions: {} })).body;
    const client = elsewhere({ 'X-API-Key': app.api_key });
    for (let round = 0; round < 20; round++) {
      const name = `name ${round}`;
      await dev.patch(`/apps/${app.id}`, { name });
      expect((await client.get('/apps/current')).body.name).toBe(name);
    }
  });

  it('cached credentials follow every change of a user', async () => {
    const user = await world.user();
    const client = elsewhere(user.credentials);
    for (let round = 0; round < 10; round++) {
      const username = `changing-${round}`;
      await user.patch('/auth/me', { username });
      expect((await client.get('/auth/me')).body.username).toBe(username);
    }
    await world.nest.get(Users).setTier(user.id, 'pro');
    expect((await client.get('/auth/me')).body.tier).toBe('pro');
  });

  it('cached credentials include refresh tokens: the same token used in two processes at once succeeds once', async () => {
    for (let round = 0; round < 10; round++) {
      const { name } = await world.user();
      const body = { email: `${name}@example.org`, password: 'correct horse battery' };
      const { refresh_token } = (await world.api.post('/auth/login', body)).body;
      const answers = await Promise.all(
        [world.api, elsewhere({}), world.api, elsewhere({})].map((client) =>
          client.post('/auth/refresh', { refresh_token }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    }
  });
});
