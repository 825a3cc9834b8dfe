import { Secret, TOTP } from 'otpauth';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { Authenticator } from '../support/authenticator.js';
import { type TestUser, World } from '../support/world.js';

const PASSWORD = 'correct horse battery';
const ORIGIN = 'https://graph.example';
const HOOK = { webhook_url: 'https://hooks.example.org/in', events: ['node.created'] };

/**
 * A thief of the database finds no password, key, token or webhook secret in it (rules 1.2, 1.3, 1.6, 9.1,
 * 11).
 */
describe('a dump of the database', () => {
  let world: World;
  let secrets: Map<string, string>;

  beforeAll(async () => {
    world = await World.startHere({ PUBLIC_URL: ORIGIN });
    secrets = await everySecret(world, await world.user());
  });
  afterAll(() => world.stop());

  async function dump(): Promise<string> {
    const database = world.nest.get(Database);
    const tables = await database.read<{ name: string }>(
      sql`SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const all = sql`SELECT to_jsonb(t)::text AS row FROM ${sql.raw(name)} AS t`;
      const rows = await database.read<{ row: string }>(all);
      texts.push(...rows.map(({ row }) => `${name} ${row}`));
    }
    return texts.join('\n');
  }

  it('holds rows of every kind, and none of the secrets, plain or encoded', async () => {
    const text = await dump();
    expect(text).toContain(HOOK.webhook_url);
    const tables = [
      'users',
      'apps',
      'api_keys',
      'authorizations',
      'totp_factors',
      'recovery_codes',
      'passkeys',
      'challenges',
    ];
    for (const table of tables) expect(text).toContain(`${table} {`);
    for (const [what, secret] of secrets) {
      expect(secret.length).toBeGreaterThan(9);
      const forms = [
        secret,
        ...(['base64', 'base64url', 'hex'] as const).map((form) => Buffer.from(secret).toString(form)),
      ];
      expect({ what, found: forms.filter((form) => text.includes(form)) }).toEqual({ what, found: [] });
    }
  });
});

/**
 * Every secret that was shown to its owner only once, by its kind; the requests bore an Idempotency-Key,
 * whose answers are stored.
 */
async function everySecret(world: World, user: TestUser): Promise<Map<string, string>> {
  const made = async (path: string, body: object) => {
    const headers = { 'Idempotency-Key': path };
    const { status, body: answer, text } = await user.post(path, body, { headers });
    if (status >= 300) throw new Error(`${path}: ${text}`);
    return answer as Record<string, string>;
  };
  const app = await made('/apps', { name: 'an app', requested_permissions: {} });
  const key = await made(`/apps/${app.id}/keys`, { name: 'spare' });
  const profile = await made('/exposure-profiles/from-template', { template: 'transparent', name: 'all' });
  const approval = await made('/authorizations', { app_id: app.id, exposure_profile_id: profile.id });
  const hook = await made('/webhooks/subscribe', { ...HOOK, app_id: app.id });
  const account = { email: `${user.name}@example.org`, password: PASSWORD };
  const { body: tokens } = await world.api.post('/auth/login', account);
  const begun = async () => (await user.post('/auth/passkeys/options')).body.public_key;
  const credential = new Authenticator(ORIGIN).create(await begun());
  await made('/auth/passkeys', { name: 'phone', credential });
  const { challenge: open } = await begun();
  const { secret } = await made('/auth/totp', {});
  const code = new TOTP({ secret: Secret.fromBase32(secret as string) }).generate();
  const { recovery_codes: codes } = await made('/auth/totp/confirm', { code });
  const asked = await world.api.post('/auth/login', account);
  const recoveryCode = codes?.[0] as string;
  return new Map([
    ['secret of the authenticator app', secret as string],
    ['its bytes', Secret.fromBase32(secret as string).hex.toLowerCase()],
    ['recovery code', recoveryCode],
    ['recovery code without its dash', recoveryCode.replace('-', '')],
    ['challenge', asked.body.error.details.challenge as string],
    ['challenge for a passkey', open as string],
    ['password', PASSWORD],
    ['first key', app.api_key as string],
    ['second key', key.api_key as string],
    ['user key', approval.user_key as string],
    ['webhook secret', (hook.secret as string).replace('whsec_', '')],
    ['access token', tokens.access_token as string],
    ['refresh token', tokens.refresh_token as string],
  ]);
}
