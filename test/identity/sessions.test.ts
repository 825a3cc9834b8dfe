import { describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

const PASSWORD = 'correct horse battery';

describe('/sessions (rule 1.3)', () => {
  let world: World;
  withWorld(
    (started) => (world = started),
    () => World.start({ TRUST_PROXY: '1' }),
  );

  const logIn = async ({ name }: TestUser, headers: Record<string, string> = {}) => {
    const account = { email: `${name}@example.org`, password: PASSWORD };
    const { body } = await world.api.post('/auth/login', account, { headers });
    const client = new Client(world.origin, { Authorization: `Bearer ${body.access_token}` });
    return { client, refreshToken: body.refresh_token as string };
  };
  const idsOf = async (client: Client): Promise<string[]> =>
    (await client.get('/auth/sessions')).body.sessions.map(({ id }: { id: string }) => id);
  const ownId = async (client: Client): Promise<string> =>
    (await client.get('/auth/sessions')).body.sessions.find((one: { is_current: boolean }) => one.is_current)
      .id;

  it('sessions are listed with distinguishing facts, the one used last first, and mark the current one', async () => {
    const user = await world.user();
    const phone = await logIn(user, { 'User-Agent': 'Phone/1.0', 'X-Forwarded-For': '203.0.113.77' });
    const answer = await phone.client.get('/auth/sessions');
    expect(answer.status).toBe(200);
    expect(answer.body.total).toBe(2);
    expect(answer.body.sessions[0]).toEqual({
      id: expect.any(String),
      created_at: expect.any(String),
      last_used_at: expect.any(String),
      user_agent: 'Phone/1.0',
      network: '203.0.113.0/24',
      is_current: true,
    });
    expect(answer.body.sessions[1].is_current).toBe(false);
    expect(answer.text).not.toContain('203.0.113.77');
  });

  it('sessions show when and where they were refreshed last', async () => {
    const user = await world.user();
    const laptop = await logIn(user, { 'User-Agent': 'Laptop/1.0', 'X-Forwarded-For': '203.0.113.77' });
    const headers = { 'User-Agent': 'Laptop/2.0', 'X-Forwarded-For': '2001:db8:1:2::7' };
    await world.api.post('/auth/refresh', { refresh_token: laptop.refreshToken }, { headers });
    const [first] = (await user.get('/auth/sessions')).body.sessions;
    expect(first).toMatchObject({ user_agent: 'Laptop/2.0', network: '2001:db8:1::/48' });
    expect(first.last_used_at > first.created_at).toBe(true);
  });

  it('sessions are ended one by one: the next request of the ended one is refused, the others continue', async () => {
    const user = await world.user();
    const [phone, laptop] = [await logIn(user), await logIn(user)];
    const id = await ownId(phone.client);
    expect((await laptop.client.delete(`/auth/sessions/${id.toUpperCase()}`)).status).toBe(204);
    expect((await phone.client.get('/auth/me')).status).toBe(401);
    expect((await world.api.post('/auth/refresh', { refresh_token: phone.refreshToken })).status).toBe(401);
    expect((await laptop.client.get('/auth/me')).status).toBe(200);
    expect(await idsOf(laptop.client)).not.toContain(id);
    expect((await laptop.client.delete(`/auth/sessions/${id}`)).status).toBe(404);
  });

  it('sessions may end themselves', async () => {
    const user = await world.user();
    expect((await user.delete(`/auth/sessions/${await ownId(user)}`)).status).toBe(204);
    expect((await user.get('/auth/me')).status).toBe(401);
  });

  it('sessions end all at once, and a new log-in works', async () => {
    const user = await world.user();
    const phone = await logIn(user);
    expect((await phone.client.delete('/auth/sessions')).status).toBe(204);
    for (const client of [user, phone.client]) expect((await client.get('/auth/me')).status).toBe(401);
    expect((await world.api.post('/auth/refresh', { refresh_token: phone.refreshToken })).status).toBe(401);
    const again = await logIn(user);
    expect(await idsOf(again.client)).toHaveLength(1);
  });

  it('sessions of other users, unknown ones and malformed ids are the same 404', async () => {
    const [user, other] = [await world.user(), await world.user()];
    const foreign = await ownId(other);
    const answers = await Promise.all(
      [foreign, '0197a3c2-6f0e-4c11-9d53-1a2b3c4d5e6f', 'x'].map((id) => user.delete(`/auth/sessions/${id}`)),
    );
    const texts = answers.map(({ text, body }) => text.replace(body.error.request_id, ''));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(texts).size).toBe(1);
    expect((await other.get('/auth/me')).status).toBe(200);
  });

  it('sessions are not available to apps', async () => {
    const [user, app] = [await world.user(), await world.app()];
    const client = await user.lets(app);
    for (const answer of [
      await client.get('/auth/sessions'),
      await client.delete('/auth/sessions'),
      await client.post('/auth/reauthenticate', { password: PASSWORD }),
    ])
      expect(answer.status).toBe(403);
  });
});
