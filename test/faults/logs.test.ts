import { jest } from '@jest/globals';
import { connect } from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { Secret, TOTP } from 'otpauth';
import pg from 'pg';
import { openEmbedded } from '../../src/libs/embedded-postgres/embedded.js';
import { Authenticator, type Faults } from '../support/authenticator.js';
import { type Answer } from '../support/client.js';
import { freshDatabase, onPostgres } from '../support/database.js';
import { everything } from '../support/defaults.js';
import { Mailbox } from '../support/mailbox.js';
import { type Server, Workshop } from '../support/server.js';

// Processes start within two seconds; the limit is for machines with other work.
jest.setTimeout(300_000);
const workshop = new Workshop();
const database = onPostgres ? await freshDatabase() : null;
const settings = await workshop.settings(database);
afterAll(async () => {
  await workshop.clear();
  await database?.drop();
});

/** A word in every text of these requests; a quotation mark in it, because code may cut quoted text out. */
const MARK = 'Zqxmark';
const marked = (what: string): string => `${MARK}-${what} "${MARK}" tail${MARK}`;
const PASSWORD = `correct ${marked('password')}`;

/** The texts that no log may contain: the mark, and every issued secret. */
class Secrets {
  readonly texts = new Set<string>([MARK]);

  /** Notes the tokens and keys in an answer, at any depth. */
  note(body: unknown): void {
    JSON.stringify(body ?? null, (key, value: unknown) => {
      const isSecret =
        /^(access_token|refresh_token|api_key|user_key|key|secret|otpauth_url|challenge)$/.test(key);
      if (isSecret && typeof value === 'string') this.texts.add(value);
      if (key === 'recovery_codes') for (const code of value as string[]) this.texts.add(code);
      return value;
    });
  }

  /** The secrets that the output contains, as they are or in another encoding. */
  foundIn(output: string): string[] {
    const lower = output.toLowerCase();
    const writings = (secret: string): string[] => [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('hex'),
      Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -1),
    ];
    return [...this.texts].filter((secret) =>
      writings(secret).some((form) => lower.includes(form.toLowerCase())),
    );
  }
}

it('finds what is there', () => {
  const secrets = new Secrets();
  secrets.note({ a: [{ api_key: 'k-123456' }] });
  expect(secrets.foundIn('… K-123456 …')).toEqual(['k-123456']);
  expect(secrets.foundIn(`…${Buffer.from(MARK).toString('hex')}…`)).toEqual([MARK]);
  expect(secrets.foundIn('nothing')).toEqual([]);
});

it('holds no secret and no personal text, on the most talkative level, errors included', async () => {
  const environment = {
    ...settings,
    LOG_LEVEL: 'trace',
    NODE_ENV: 'development',
    PUBLIC_URL: 'https://graph.example',
  };
  const secrets = new Secrets();
  const first = await workshop.serve(environment);
  const statuses = await session(first, secrets);
  expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 201, 400, 401, 404, 409]));
  expect((await first.kill('SIGTERM')).code).toBe(0);
  await plantBrokenTrigger();
  const second = await workshop.serve(environment);
  const broken = await second
    .client({ ...(await credentials(second, secrets)), 'X-Change-Reason': MARK })
    .post('/tags', { name: marked('broken') });
  expect(broken.status).toBe(500);
  expect(broken.body.error.code).toBe('INTERNAL_ERROR');
  expect(broken.text).not.toContain(MARK);
  expect((await second.kill('SIGTERM')).code).toBe(0);

  const introduced = /\nFirst start:[^]*?'\n\n/;
  const output = first.stdout.replace(introduced, '') + first.stderr + second.stdout + second.stderr;
  expect(output).toMatch(/"level":50[^\n]*unexpected error/);
  expect(output).toMatch(/"level":40[^\n]*there may be a copy of it/);
  expect(output.split('\n').length).toBeGreaterThan(50);
  expect(secrets.foundIn(output)).toEqual([]);
});

describe('the log of letters (rule 1.18c)', () => {
  const account = { email: `letters${MARK}@example.org`, username: 'letters', password: PASSWORD };
  const ask = async (environment: Record<string, string>): Promise<string> => {
    const { DATA_DIR, DATABASE_URL } = settings;
    const server = await workshop.serve({ ...environment, DATA_DIR, DATABASE_URL, LOG_LEVEL: 'trace' });
    await server.client().post('/auth/register', account);
    await server.client().post('/auth/password/reset-request', { email: account.email });
    return settled(server);
  };
  /** Returns the server's output after it has tried its letters and ended. */
  const settled = async (server: Server): Promise<string> => {
    await server.printed(/letter|sent/);
    await server.kill('SIGTERM');
    return server.stdout + server.stderr;
  };

  it('names neither address nor link in production, whatever the mail server answers', async () => {
    const mailbox = await Mailbox.start();
    mailbox.refuses = { code: 550, says: `no mailbox ${account.email} here` };
    await verifiedUser();
    const output = await ask(mailbox.settings);
    await mailbox.goDown();
    expect(output).toMatch(/"responseCode":550[^\n]*given up/);
    expect(output).not.toContain(MARK.toLowerCase());
    expect(output).not.toContain(MARK);
    expect(output).not.toContain('pig_mail_');
  });

  it('holds the link in development, without the address', async () => {
    const output = await ask({ NODE_ENV: 'development' });
    expect(output).toMatch(/"links":\["http[^"]+#reset=pig_mail_/);
    expect(output).not.toContain(MARK);
  });

  async function verifiedUser(): Promise<void> {
    const { DATA_DIR, DATABASE_URL } = settings;
    const environment = { DATA_DIR, DATABASE_URL, LOG_LEVEL: 'silent' };
    const args = ['create-user', '--email', account.email, '--username', account.username];
    for (const words of [args, ['verify-email', account.username]]) {
      const { code } = await workshop.run('cli/main.js', environment, { args: words }).ended;
      if (code !== 0) throw new Error(`${words[0]}: ${code}`);
    }
  }
});

async function credentials(server: Server, secrets: Secrets): Promise<Record<string, string>> {
  const account = { email: `${MARK}@example.org`, password: PASSWORD };
  const { body } = await server.client().post('/auth/login', account);
  secrets.note(body);
  return { Authorization: `Bearer ${body.access_token}` };
}

/**
 * Sends personal text and secrets in every place of a request, in requests that succeed and in ones that
 * fail.
 */
async function session(server: Server, secrets: Secrets): Promise<Set<number>> {
  const statuses = new Set<number>();
  const headers = {
    'User-Agent': MARK,
    Referer: `https://example.org/${MARK}`,
    Cookie: `session=${MARK}`,
    Origin: `https://${MARK}.example`,
    'X-Change-Reason': MARK,
    'Idempotency-Key': '',
  };
  let given: Record<string, string> = {};
  let number = 0;
  const send = async (method: string, path: string, body?: unknown) => {
    const options = { headers: { ...headers, 'Idempotency-Key': `${MARK}${number++}` } };
    const answer = await server.client(given).send(method, path, body, options);
    statuses.add(answer.status);
    secrets.note(answer.body);
    return answer;
  };
  const search = encodeURIComponent(marked('search'));
  const account = { email: `${MARK}@example.org`, username: `${MARK}_name`, password: PASSWORD };

  await send('POST', '/auth/register', account);
  await send('POST', '/auth/register', account);
  await send('POST', '/auth/register', { ...account, email: `second${MARK}@example.org` });
  await send('POST', '/auth/register', { ...account, email: `no address ${MARK}`, username: `${MARK} !` });
  await send('POST', '/auth/login', { email: account.email, password: `wrong ${MARK}` });
  await send('POST', '/auth/refresh', { refresh_token: `wrong-${MARK}` });
  given = { Authorization: `Bearer ${MARK}.${MARK}.${MARK}` };
  await send('GET', '/nodes');
  given = { 'X-API-Key': `pig_${MARK}`, 'X-User-ID': MARK };
  await send('GET', '/nodes');
  given = await credentials(server, secrets);
  const note = {
    title: marked('title'),
    description: marked('description'),
    node_type: 'NOTE',
    tags: [MARK],
  };
  const { body: node } = await send('POST', '/nodes', { ...note, metadata: { [MARK]: marked('metadata') } });
  await send('POST', '/nodes/batch', { nodes: [note, { ...note, node_type: MARK }] });
  await send('PATCH', `/nodes/${node.id}`, { title: marked('changed') });
  await send('PATCH', `/nodes/${MARK}`, { title: marked('changed') });
  await send('GET', `/nodes?search=${search}&tag_ids=${search}&limit=${MARK}`);
  await send('GET', `/nodes?search=${search}&tag_ids=${search}`);
  await send('POST', '/tags', { name: marked('tag') });
  await send('POST', '/tags', { name: marked('tag') });
  await send('GET', `/tags?search=${search}`);
  const { body: app } = await send('POST', '/apps', { name: MARK, requested_permissions: everything });
  const { body: profile } = await send('POST', '/exposure-profiles/from-template', {
    template: 'transparent',
    name: MARK,
  });
  await send('POST', '/exposure-profiles/from-template', { template: 'transparent', name: MARK });
  await send('POST', '/authorizations', { app_id: app.id, exposure_profile_id: profile.id });
  await send('POST', '/authorizations', { app_id: MARK, exposure_profile_id: MARK });
  await send('GET', `/${MARK}/${search}`);
  await send('GET', `/%E0%A4%A${MARK}`);
  await send('POST', '/nodes', `{"title": "${MARK}`);
  await send('POST', '/nodes', `{"title": "${MARK}\\u0000${MARK}"}`);
  await send('POST', '/nodes', JSON.stringify({ title: MARK.repeat(2_000_000) }));
  await passkey(send);
  await secondFactor(send, account);
  given = { 'X-API-Key': app.api_key, 'X-User-ID': '' };
  await send('GET', '/nodes');
  await garbage(server, `GET /${MARK} HTTP/9.9\r\nX: ${MARK}\r\n\r\n`);
  await garbage(server, `POST /api/v1/nodes HTTP/1.1\r\nHost: x\r\nContent-Length: ${MARK}\r\n\r\n${MARK}`);
  return statuses;
}

type Send = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** Enrols a second factor, requests it, answers it wrong and right, and removes it. */
async function secondFactor(send: Send, account: { email: string; password: string }): Promise<void> {
  const { secret } = (await send('POST', '/auth/totp')).body;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const [first, second] = (await send('POST', '/auth/totp/confirm', { code })).body.recovery_codes;
  const { challenge } = (await send('POST', '/auth/login', account)).body.error.details;
  await send('POST', '/auth/login/second-factor', { challenge, recovery_code: MARK });
  await send('POST', '/auth/login/second-factor', { challenge, recovery_code: first });
  await send('POST', '/auth/reauthenticate', account);
  const removed = await send('DELETE', '/auth/totp', { recovery_code: second });
  expect(removed.status).toBe(204);
}

/** Adds a passkey, uses it right and wrong and as a copy, and removes it. */
async function passkey(send: Send): Promise<void> {
  const device = new Authenticator('https://graph.example');
  const { public_key } = (await send('POST', '/auth/passkeys/options')).body;
  const body = { name: MARK, credential: device.create(public_key) };
  const { id } = (await send('POST', '/auth/passkeys', body)).body;
  const used = async (faults: Faults): Promise<number> => {
    const options = (await send('POST', '/auth/login/passkey/options')).body.public_key;
    return (await send('POST', '/auth/login/passkey', { credential: device.get(options, faults) })).status;
  };
  const answers = [
    await used({}),
    await used({ origin: `https://${MARK}.example` }),
    await used({ counter: 1 }),
  ];
  expect(answers).toEqual([200, 401, 401]);
  await send('POST', '/auth/login/passkey', { credential: { ...body.credential, id: MARK } });
  expect((await send('DELETE', `/auth/passkeys/${id}`)).status).toBe(204);
}

/** Sends bytes that are no valid request, until the server closes the connection. */
async function garbage(server: Server, bytes: string): Promise<void> {
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  await text(socket).catch(() => '');
}

/**
 * Makes the database refuse tags from then on, and repeat in all its texts the values that were to be stored.
 */
async function plantBrokenTrigger(): Promise<void> {
  const statements = `
    CREATE FUNCTION complain() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'planted: "%"', NEW.name USING DETAIL = NEW.name, HINT = NEW.name;
    END $$;
    CREATE TRIGGER complains BEFORE INSERT ON tags FOR EACH ROW EXECUTE FUNCTION complain();`;
  const embedded = database ? null : await openEmbedded(`${settings.DATA_DIR}/database`);
  const client = new pg.Pool(embedded ? embedded.poolConfig : { connectionString: database?.url });
  await client.query(statements);
  await client.end();
  await embedded?.close();
}
