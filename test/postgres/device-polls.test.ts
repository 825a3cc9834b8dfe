import pg from 'pg';
import { Config } from '../../src/config/config.js';
import { hashOfSecret } from '../../src/identity/index.js';
import { type Answer } from '../support/client.js';
import { OAuthWorld } from '../support/oauth.js';
import { type TestUser } from '../support/world.js';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** A question for one device waits for its row, with a connection: one code must not take the connections of all. */
describe('questions of devices that wait for one row (rule 14.8)', () => {
  let oauth: OAuthWorld;
  let person: TestUser;
  let appId: string;
  let observer: pg.Client;
  let connections: number;
  beforeAll(async () => {
    oauth = await OAuthWorld.startHere();
    person = await oauth.world.user();
    ({ id: appId } = await oauth.app());
    const { databaseUrl, databasePool } = oauth.world.nest.get(Config);
    connections = databasePool;
    observer = new pg.Client({ connectionString: databaseUrl as string });
    await observer.connect();
  });
  afterAll(async () => {
    await observer.end();
    await oauth.world.stop();
  });

  const begin = async (): Promise<string> =>
    (await oauth.form('device_authorization', { client_id: appId, scope: 'graph:read' })).body.device_code;
  const ask = (code: string): Promise<Answer> =>
    oauth.form('token', { grant_type: GRANT, client_id: appId, device_code: code });
  const waiting = async (): Promise<number> => {
    const { rows } = await observer.query<{ waiting: number }>(
      `SELECT count(*)::integer AS waiting FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0]?.waiting ?? 0;
  };

  it('one code that is asked for by many connections leaves other devices and people theirs', async () => {
    const [held, other] = [await begin(), await begin()];
    await observer.query('BEGIN');
    await observer.query('SELECT FROM oauth_devices WHERE digest = $1 FOR UPDATE', [hashOfSecret(held)]);
    const asked = Promise.all(Array.from({ length: 3 * connections }, () => ask(held)));
    for (let turn = 0; (await waiting()) === 0; turn++)
      if (turn === 5_000) throw new Error('no question waits for the row');
    const answers = await Promise.all([
      ask(other),
      person.get('/nodes'),
      person.post('/nodes', { title: 'x', node_type: 'FACT' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([400, 200, 201]);
    expect(answers[0].body.error).toBe('authorization_pending');
    const most = await waiting();
    await observer.query('COMMIT');
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(connections / 2);
    const errors = new Set((await asked).map(({ body }) => body.error));
    expect([...errors].sort()).toEqual(['authorization_pending', 'slow_down']);
  }, 30_000);
});
