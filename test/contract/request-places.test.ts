import { jest } from '@jest/globals';
import { type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { ResourceGuard } from '../../src/kernel/http/locators.js';
import { MOST_REQUESTS } from '../../src/kernel/http/request-places.js';
import { until } from '../support/until.js';
import { node } from '../support/worlds/nodes.js';
import { type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

const PLACES = MOST_REQUESTS;

describe('many requests of one caller', () => {
  let world: World;
  withWorld((started) => (world = started));
  afterEach(() => jest.restoreAllMocks());

  /** Holds requests for a path where they are located, and counts those that have come so far. */
  function holdAt(path: string): { held: () => number; release: () => void } {
    const guard = world.nest.get(ResourceGuard);
    const locate = guard.canActivate.bind(guard);
    const held = new Set<Request>();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    jest.spyOn(guard, 'canActivate').mockImplementation(async (context: ExecutionContext) => {
      const request = context.switchToHttp().getRequest<Request>();
      // Requests that have waited are located again (rule 2.8).
      if (request.path.endsWith(path)) {
        held.add(request);
        await released;
      }
      return locate(context);
    });
    return { held: () => held.size, release };
  }

  it('requests beyond the places of a caller wait before anything is loaded for them (rule 11.9m)', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    const app = await alice.lets(await world.app());
    const { id } = await node(alice, { title: 'large' });
    const { held, release } = holdAt(`/nodes/${id}`);
    const all = Array.from({ length: PLACES + 8 }, () => alice.get(`/nodes/${id}`));
    await until(() => held() === PLACES, 'all places are taken');
    // Others are served, the caller's apps of other developers and requests that end access among them.
    expect((await bob.get('/nodes')).status).toBe(200);
    expect((await app.get('/nodes')).status).toBe(200);
    expect((await alice.delete(`/auth/sessions/${alice.id}`)).status).toBe(404);
    expect((await alice.get('/sync?wait=1')).status).toBe(200);
    let isServed = false;
    const next = alice.get('/nodes').then(({ status }) => {
      isServed = true;
      return status;
    });
    expect((await bob.get('/nodes')).status).toBe(200);
    expect([held(), isServed]).toEqual([PLACES, false]);
    release();
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([200]));
    expect([await next, held()]).toEqual([200, PLACES + 8]);
  });

  it('a request whose client leaves while it waits takes no place afterwards (rule 11.9m)', async () => {
    const alice = await world.user();
    const { id } = await node(alice, { title: 'large' });
    const { held, release } = holdAt(`/nodes/${id}`);
    const all = Array.from({ length: PLACES }, () => alice.get(`/nodes/${id}`));
    await until(() => held() === PLACES, 'all places are taken');
    const leaving = new AbortController();
    const left = fetch(`${world.origin}/api/v1/nodes`, {
      headers: { authorization: `Bearer ${alice.token}` },
      signal: leaving.signal,
    }).catch(() => 'left');
    expect((await alice.get('/sync?wait=1')).status).toBe(200);
    leaving.abort();
    expect(await left).toBe('left');
    release();
    await Promise.all(all);
    const again = await Promise.all(Array.from({ length: PLACES }, () => alice.get(`/nodes/${id}`)));
    expect(new Set(again.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
