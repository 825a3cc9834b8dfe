import { jest } from '@jest/globals';
import { PART_BYTES } from '../../src/kernel/database/page-bytes.js';
import { node } from '../support/worlds/nodes.js';
import { ReadBytes } from '../support/read-bytes.js';
import { type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

const COUNT = 8;

describe("reading of others' nodes", () => {
  let world: World;
  withWorld((started) => (world = started));
  afterEach(() => jest.restoreAllMocks());

  it('a share of large nodes is made without reading their content, also when its recipient shares them again', async () => {
    const [ann, ben, cleo] = [await world.user(), await world.user(), await world.user()];
    const ids: string[] = [];
    for (let number = 0; number < COUNT; number++)
      ids.push(
        (await node(ann, { title: `${number}`, metadata: { text: 'm'.repeat(250_000) } })).id as string,
      );
    const read = new ReadBytes();
    const subject = { scope: 'specific_nodes', node_ids: ids };
    const given = await ann.post('/sharing', { ...subject, shared_with_user_id: ben.id, can_share: true });
    const again = await ben.post('/sharing', { ...subject, shared_with_user_id: cleo.id });
    expect([given.status, again.status]).toEqual([201, 201]);
    expect(again.body.node_ids).toEqual(ids);
    expect(read.total).toBeLessThan(PART_BYTES);
  });
});
