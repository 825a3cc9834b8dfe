import { jest } from '@jest/globals';
import { ShareEnds } from '../../src/collaboration/application/share-ends.service.js';
import { codeOf } from '../support/worlds/nodes.js';
import { GONE } from '../support/worlds/people.js';
import { type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';
import { EACH_ONCE, endsInLogs, type ManyBelow, manyBelow, NOBODY } from './many-below.js';

describe('the end of a share with many re-shares below', () => {
  let world: World;
  withWorld((started) => (world = started));
  afterEach(() => jest.restoreAllMocks());

  /** Leaves the logs to a later look, as a process does that is killed after the commit. */
  const kill = (): void => void jest.spyOn(ShareEnds.prototype, 'look').mockResolvedValue();
  const restart = async (): Promise<void> => {
    jest.restoreAllMocks();
    await world.nest.get(ShareEnds).look();
  };
  const seen = async ({ dave, nodeId }: ManyBelow): Promise<unknown> => {
    const answer = await dave.get(`/nodes/${nodeId}`);
    return answer.status === 200 ? 200 : codeOf(answer);
  };

  it('everybody below loses sight with the commit, and their logs have the end once after a crash (rule 10.8g)', async () => {
    const chain = await manyBelow(world);
    expect(await seen(chain)).toBe(200);
    kill();
    expect((await chain.alice.delete(`/sharing/${chain.first}`)).status).toBe(200);
    expect(await seen(chain)).toEqual(GONE);
    expect((await chain.dave.get('/nodes?access=shared')).body.total).toBe(0);
    expect(await endsInLogs(world, chain)).toEqual(NOBODY);
    await restart();
    expect(await endsInLogs(world, chain)).toEqual(EACH_ONCE);
    await world.nest.get(ShareEnds).look();
    expect(await endsInLogs(world, chain)).toEqual(EACH_ONCE);
  });

  it('a page that fails is written later, and those before it are not written again (rule 10.8g)', async () => {
    const chain = await manyBelow(world);
    kill();
    await chain.alice.delete(`/sharing/${chain.first}`);
    jest.restoreAllMocks();
    const service = world.nest.get<{ writePage: (...given: unknown[]) => unknown }>(ShareEnds);
    const { writePage } = service;
    let pages = 0;
    jest.spyOn(service, 'writePage').mockImplementation((...given) => {
      if (++pages === 2) throw new Error('the process ends here');
      return writePage.apply(service, given);
    });
    await world.nest.get(ShareEnds).look();
    expect(Object.keys(await endsInLogs(world, chain))).toEqual(['0', '1']);
    await restart();
    expect(await endsInLogs(world, chain)).toEqual(EACH_ONCE);
  });

  it('re-shares below two shares that end have their end in the logs once (rule 10.8g)', async () => {
    const chain = await manyBelow(world);
    kill();
    expect((await chain.alice.delete(`/sharing/${chain.first}`)).status).toBe(200);
    expect((await chain.bob.delete(`/sharing/${chain.second}`)).status).toBe(200);
    await restart();
    expect(await endsInLogs(world, chain)).toEqual(EACH_ONCE);
  });

  it('re-shares that are in force again before the logs have their end show, and have none (rule 10.8g)', async () => {
    const chain = await manyBelow(world);
    kill();
    await chain.alice.put(`/sharing/${chain.first}`, { can_share: false });
    expect(await seen(chain)).toEqual(GONE);
    await chain.alice.put(`/sharing/${chain.first}`, { can_share: true });
    expect(await seen(chain)).toBe(200);
    await restart();
    expect(await endsInLogs(world, chain)).toEqual(NOBODY);
    await chain.alice.put(`/sharing/${chain.first}`, { can_share: false });
    await world.nest.get(ShareEnds).look();
    expect(await endsInLogs(world, chain)).toEqual(EACH_ONCE);
  });
});
