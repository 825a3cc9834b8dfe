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
