import { generateKeyPairSync } from 'node:crypto';
import { Config } from '../../src/config/config.js';
import { Clock } from '../../src/kernel/clock.js';
import { byToken } from '../support/app-token.js';
import { Client } from '../support/client.js';
import { onPostgres } from '../support/database.js';
import { allSchemas, everything } from '../support/defaults.js';
import { idOf } from '../support/plausible.js';
import { type TestUser, World } from '../support/world.js';
import { ACQUAINTANCE_ENDS } from './acquaintance-changes.js';
import { filled, GRANTS, OTHER_WRITES, PROFILE_FIELDS, type Scene, time } from './freshness-changes.js';

/** The request after a write is decided again, with either key and with a token, in every process (rule 2.8). */
describe('freshness', () => {
  let world: World;
  let second: World | null = null;
  let alice: TestUser;
  let developer: TestUser;

  beforeAll(async () => {
    const keys = {
      JWT_PRIVATE_KEY: generateKeyPairSync('ec', { namedCurve: 'P-256' })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString(),
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    world = await World.startHere(keys);
    const url = world.nest.get(Config).databaseUrl as string;
    if (onPostgres) second = await World.startHere({ ...keys, DATABASE_URL: url });
    for (const each of [world, second])
      if (each) each.nest.get(Clock).now = () => new Date(Date.now() + time.ahead);
    alice = await world.user();
    developer = await world.user();
  });
  beforeEach(() => void (time.ahead = 0));
  afterAll(async () => {
    await second?.stop();
    await world.stop();
  });

  async function scene(profile: Record<string, unknown> = {}): Promise<{ scene: Scene; userKey: string }> {
    const number = world.number();
    const tagName = `tag ${number}`;
    const tag = await idOf(alice, '/tags', { name: tagName });
    const otherTag = await idOf(alice, '/tags', { name: `other ${number}` });
    const node = await idOf(alice, '/nodes', { title: 'a node', node_type: 'note', tags: [tag] });
    const made = { name: `app ${number}`, requested_permissions: everything };
    const { body: app } = await developer.post('/apps', made);
    const { body: key } = await developer.post(`/apps/${app.id}/keys`, {});
    const client = new Client(world.origin, { 'X-API-Key': key.api_key, 'X-User-ID': alice.id });
    const plain = { tag_permissions: GRANTS, schema_permissions: allSchemas };
    const ids = { tag, otherTag, tagName, node, client, alice, developer, app: app.id, keyId: key.id };
    const profileBody = { ...plain, ...filled(profile, ids as Scene) };
    const id = await idOf(alice, '/exposure-profiles', { name: `profile ${number}`, ...profileBody });
    const approval = { app_id: app.id, exposure_profile_id: id };
    const { status, body, text } = await alice.post('/authorizations', approval);
    if (status === 409) return approvedBefore(ids as Scene, { plain, profileBody, number });
    if (status !== 201) throw new Error(text);
    return {
      scene: { ...ids, profile: id, authorization: body.id, profileBody },
      userKey: body.user_key,
    };
  }

  /** Restores a profile that has shrunk since the approval (rule 2.7). */
  async function approvedBefore(
    ids: Scene,
    { plain, profileBody, number }: { plain: object; profileBody: Record<string, unknown>; number: number },
  ): Promise<{ scene: Scene; userKey: string }> {
    const profile = await idOf(alice, '/exposure-profiles', { name: `wide ${number}`, ...plain });
    const { body } = await alice.post('/authorizations', { app_id: ids.app, exposure_profile_id: profile });
    await alice.put(`/exposure-profiles/${profile}`, profileBody);
    return { scene: { ...ids, profile, authorization: body.id, profileBody }, userKey: body.user_key };
  }

  const status = async (client: Client, { node }: Scene): Promise<unknown> =>
    (await client.get(`/nodes/${node}`)).status;

  it.each(
    [...PROFILE_FIELDS, ...OTHER_WRITES, ...ACQUAINTANCE_ENDS].map((each) => [each.what, each] as const),
  )(
    'the very next request sees %s',
    async (_, { profile, probe = status, before = 200, change, after, afterUserKey = after }) => {
      const made = await scene(profile);
      const origins = [...new Set([(second ?? world).origin, world.origin])];
      const byApp = origins.map((origin) => new Client(origin, made.scene.client.credentials));
      const byUserKey = origins.map((origin) => new Client(origin, { 'X-API-Key': made.userKey }));
      const { app: appId, authorization: authorizationId } = made.scene;
      const { credentials } = await byToken(world, { ownerId: alice.id, appId, authorizationId });
      const tokens = origins.map((origin) => new Client(origin, credentials));
      for (const client of [...byApp, ...byUserKey, ...tokens, ...byApp]) {
        expect(await probe(client, made.scene)).toEqual(before);
      }
      const written = await change(made.scene);
      if (written && written.status >= 300) throw new Error(`${written.status} ${written.text}`);
      for (const client of byApp) expect(await probe(client, made.scene)).toEqual(after);
      for (const client of [...byUserKey, ...tokens])
        expect(await probe(client, made.scene)).toEqual(afterUserKey);
    },
  );
});
