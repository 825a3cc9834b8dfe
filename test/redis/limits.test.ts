import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Config } from '../../src/config/config.js';
import { Clock } from '../../src/kernel/clock.js';
import { type Answer } from '../support/client.js';
import { holdClock } from '../support/moved-clock.js';
import { World } from '../support/world.js';

const SETTINGS = { RATE_LIMITS: 'on', TRUST_PROXY: '1' };
const withStatus = (answers: Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

/** The same things of two processes on one Redis, asked in alternation. */
describe('shared counters', () => {
  let world: World;
  let second: World;
  let clock: ReturnType<typeof holdClock>;
  const byTurns = (count: number, send: (from: World, index: number) => Promise<Answer>): Promise<Answer[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => send(index % 2 ? world : second, index)));

  beforeAll(async () => {
    world = await World.startHere(SETTINGS);
    const { databaseUrl, dataDir } = world.nest.get(Config);
    second = await World.startHere({ ...SETTINGS, DATABASE_URL: databaseUrl as string, DATA_DIR: dataDir });
    clock = holdClock(world);
    second.nest.get(Clock).now = () => clock.now;
  });
  afterAll(async () => {
    await second.stop();
    await world.stop();
  });

  it('limits of two processes on one Redis let exactly 30 of 1,000 creates at once through', async () => {
    const [alice, app] = [await world.user(), await world.app()];
    await alice.lets(app);
    clock.advance(60);
    const headers = { 'X-API-Key': app.apiKey, 'X-User-ID': alice.id };
    const node = { title: 'counted', node_type: 'NOTE' };
    const answers = await byTurns(1_000, (from) => from.api.with(headers).post('/nodes', node));
    expect([withStatus(answers, 201), withStatus(answers, 429)]).toEqual([30, 970]);
    expect((await second.api.with(headers).get('/nodes')).body.total).toBe(30);
  });

  it('limits of two processes on one Redis are one for all the people whose ids an app makes up', async () => {
    const app = await world.app();
    clock.advance(60);
    const answers = await byTurns(700, (from) =>
      from.api.with({ 'X-API-Key': app.apiKey, 'X-User-ID': randomUUID() }).get('/tags'),
    );
    expect([withStatus(answers, 403), withStatus(answers, 429)]).toEqual([600, 100]);
  });

  it('limits of two processes on one Redis are one for an address', async () => {
    const address = { 'X-Forwarded-For': '198.51.100.100' };
    const answers = await byTurns(200, (from) => from.api.with(address).get('/nodes'));
    expect(withStatus(answers, 401)).toBe(60);
    expect((await second.api.get('//health/ready')).body).toEqual({ status: 'ok', redis: 'up' });
  });

  it('limits of two processes on one Redis are one for failed log-ins (rule 1.2)', async () => {
    const email = `${randomUUID()}@example.org`;
    const answers = await byTurns(24, (from, index) =>
      from.api
        .with({ 'X-Forwarded-For': `2001:db8:aaaa:${index.toString(16)}::1` })
        .post('/auth/login', { email, password: 'wrong password' }),
    );
    expect(withStatus(answers, 401)).toBe(10);
  });
});
