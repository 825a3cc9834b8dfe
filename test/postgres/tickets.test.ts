import { Config } from '../../src/config/config.js';
import { World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';
import { EventReader } from '../sync/pages.js';

describe('tickets between two processes (rule 7.14)', () => {
  let world: World;
  withWorld((started) => (world = started));

  it('a ticket of one process opens a stream at another, and then at neither', async () => {
    const { databaseUrl, dataDir } = world.nest.get(Config);
    const second = await World.startHere({ DATABASE_URL: databaseUrl as string, DATA_DIR: dataDir });
    try {
      const alice = await world.user();
      const issue = async () => (await alice.post('/sync/ticket')).body.ticket as string;
      const open = ({ origin }: World, ticket: string) =>
        EventReader.open(origin, `/sync/stream?ticket=${ticket}`, {});
      const used = await issue();
      const stream = await open(second, used);
      expect(stream.status).toBe(200);
      stream.leave();
      expect([(await open(world, used)).status, (await open(second, used)).status]).toEqual([401, 401]);
      const both = await issue();
      const readers = await Promise.all([open(world, both), open(second, both)]);
      expect(readers.map(({ status }) => status).sort()).toEqual([200, 401]);
      for (const reader of readers) reader.leave();
      const late = await issue();
      await alice.delete('/auth/sessions');
      expect((await open(second, late)).status).toBe(401);
    } finally {
      await second.stop();
    }
  });
});
