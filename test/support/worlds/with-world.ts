import { Mailbox } from '../mailbox.js';
import { type TestUser, World } from '../world.js';

/** One service for a file of tests. */
export function withWorld(meet: (world: World) => void, start = () => World.startHere()): void {
  let world: World;
  beforeAll(async () => {
    world = await start();
    meet(world);
  });
  afterAll(() => world.stop());
}

/** One service for a file of tests, and a new person for each of them. */
export function withAlice(
  meet: (met: { world: World; alice: TestUser }) => void,
  start = () => World.startHere(),
): void {
  let world: World;
  withWorld((started) => (world = started), start);
  beforeEach(async () => meet({ world, alice: await world.user() }));
}

/** One service for a file of tests that sends its letters to a mailbox. */
export function withMailbox(
  meet: (met: { world: World; mailbox: Mailbox }) => void,
  settings: Record<string, string> = {},
): void {
  let mailbox: Mailbox;
  withWorld(
    (world) => meet({ world, mailbox }),
    async () => {
      mailbox = await Mailbox.start();
      return World.startHere({ ...mailbox.settings, ...settings });
    },
  );
  afterAll(() => mailbox.goDown());
}
