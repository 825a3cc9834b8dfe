import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { Config } from '../../src/config/config.js';
import { ErasureService } from '../../src/portability/index.js';
import { Users } from '../../src/identity/index.js';
import { type Answer, Client } from '../support/client.js';
import { onPostgres } from '../support/database.js';
import { type TestUser, World } from '../support/world.js';

const PASSWORD = 'correct horse battery';
const KEYS = {
  JWT_PRIVATE_KEY: generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString(),
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
};

/** The embedded database has one process only; there both clients speak to it. */
describe('an access token ends with the next request, in every process (rule 1.3)', () => {
  let world: World;
  let second: World | null = null;
  beforeAll(async () => {
    world = await World.startHere(KEYS);
    const url = world.nest.get(Config).databaseUrl as string;
    if (onPostgres) second = await World.startHere({ ...KEYS, DATABASE_URL: url });
  });
  afterAll(async () => {
    await second?.stop();
    await world.stop();
  });

  const everywhere = (token: string): Client[] =>
    [world, second ?? world].map(({ origin }) => new Client(origin, { Authorization: `Bearer ${token}` }));
  const statuses = async (token: string): Promise<number[]> =>
    Promise.all(everywhere(token).map(async (client) => (await client.get('/auth/me')).status));
  const logIn = async ({ name }: TestUser): Promise<Answer['body']> =>
    (await world.api.post('/auth/login', { email: `${name}@example.org`, password: PASSWORD })).body;

  it('a new password ends it, including that of the log-in that set the password', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await world.user();
      const other = await logIn(user);
      expect(await statuses(user.token)).toEqual([200, 200]);
      expect(await statuses(other.access_token)).toEqual([200, 200]);
      const change = { current_password: PASSWORD, new_password: `another horse ${round}` };
      expect((await user.post('/auth/password', change)).status).toBe(204);
      expect(await statuses(user.token)).toEqual([401, 401]);
      expect(await statuses(other.access_token)).toEqual([401, 401]);
      const again = await world.api.post('/auth/login', {
        email: `${user.name}@example.org`,
        password: change.new_password,
      });
      expect(await statuses(again.body.access_token)).toEqual([200, 200]);
    }
  });

  it('log-out ends it, while those of other log-ins stay valid', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await world.user();
      const other = await logIn(user);
      expect(await statuses(other.access_token)).toEqual([200, 200]);
      await world.api.post('/auth/logout', { refresh_token: other.refresh_token });
      expect(await statuses(other.access_token)).toEqual([401, 401]);
      expect(await statuses(user.token)).toEqual([200, 200]);
    }
  });

  it('the reuse of a refresh token ends it, including the tokens that the copy received', async () => {
    const user = await world.user();
    const first = await logIn(user);
    const second = (await world.api.post('/auth/refresh', { refresh_token: first.refresh_token })).body;
    expect(await statuses(second.access_token)).toEqual([200, 200]);
    const replayed = await world.api.post('/auth/refresh', { refresh_token: first.refresh_token });
    expect(replayed.status).toBe(401);
    expect(await statuses(first.access_token)).toEqual([401, 401]);
    expect(await statuses(second.access_token)).toEqual([401, 401]);
  });

  it('the erasure of the account ends it', async () => {
    const user = await world.user();
    expect(await statuses(user.token)).toEqual([200, 200]);
    const found = await world.nest.get(Users).get(user.id);
    await world.nest.get(ErasureService).eraseUnasked(found);
    expect(await statuses(user.token)).toEqual([401, 401]);
  });

  it('a link to a file ends with the log-in that requested it', async () => {
    const user = await world.user();
    const boundary = 'xxxx';
    const body = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--${boundary}--\r\n`;
    const uploaded = await user.post('/nodes/upload', body, {
      headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    });
    expect(uploaded.status).toBe(201);
    const other = await logIn(user);
    const link = await new Client(world.origin, { Authorization: `Bearer ${other.access_token}` }).get(
      `/nodes/${uploaded.body.id}/download`,
    );
    expect(link.status).toBe(200);
    const path = `/${new URL(link.body.download_url).pathname}${new URL(link.body.download_url).search}`;
    expect((await world.api.get(path)).status).toBe(200);
    await world.api.post('/auth/logout', { refresh_token: other.refresh_token });
    expect((await world.api.get(path)).status).toBe(401);
  });
});
