import { jest } from '@jest/globals';
import { World } from '../support/world.js';

it('a connection that the system cannot accept is logged, and others are served', async () => {
  const world = await World.startHere();
  const warn = jest.fn();
  world.nest.useLogger({ log: () => undefined, error: () => undefined, warn });
  const error = Object.assign(new Error('accept ENOBUFS'), { code: 'ENOBUFS', syscall: 'accept' });
  world.nest.getHttpServer().emit('error', error);
  expect(warn.mock.calls).toEqual([[{ err: error }, 'a connection was not accepted', 'connections']]);
  expect((await world.api.get('//health/live')).status).toBe(200);
  await world.stop();
});
