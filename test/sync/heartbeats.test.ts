import { ChangeWaits } from '../../src/kernel/waiting/change-waits.service.js';
import { type TestUser, type World } from '../support/world.js';
import { letsIn, node, profile, tagId } from '../support/worlds/nodes.js';
import { withAlice } from '../support/worlds/with-world.js';
import { EventReader } from './pages.js';

let world: World;
let alice: TestUser;
withAlice((met) => ({ world, alice } = met));

/** The milliseconds of each wait of streams, as they begin. */
function waitsOf(service: ChangeWaits): { next: () => Promise<number> } {
  const begun: number[] = [];
  let onWait = (): void => undefined;
  const wait = service.wait.bind(service);
  service.wait = (ids, since, options) => {
    begun.push(options.ms);
    onWait();
    return wait(ids, since, options);
  };
  const next = async (): Promise<number> => {
    while (begun.length === 0) await new Promise<void>((resolve) => (onWait = resolve));
    return begun.shift() as number;
  };
  return { next };
}

describe('GET /sync/stream', () => {
  it('a hidden change does not put off the next heartbeat (rule 7.12)', async () => {
    const work = await tagId(alice, 'work');
    const app = await letsIn(world, alice, profile({ read: [work] }));
    const waits = waitsOf(world.nest.get(ChangeWaits));
    const stream = await EventReader.open(world.origin, '/sync/stream', app.credentials);
    const whole = await waits.next();
    await node(alice, { title: 'hidden' });
    const rest = await waits.next();
    await node(alice, { title: 'hidden, too' });
    const last = await waits.next();
    expect([rest < whole, last < rest]).toEqual([true, true]);
    stream.leave();
  });
});
