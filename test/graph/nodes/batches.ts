import { jest } from '@jest/globals';
import { NodeDuplicates } from '../../../src/graph/nodes/infrastructure/node-duplicates.queries.js';
import { type World } from '../../support/world.js';

export const item = (title: string, rest: Record<string, unknown> = {}) => ({
  title,
  node_type: 'note',
  ...rest,
});

/** Runs this after the batch has looked for duplicates, which it has not locked yet. */
export function afterTheLook(world: World, work: () => Promise<void>): void {
  const duplicates = world.nest.get(NodeDuplicates);
  const find = duplicates.find.bind(duplicates);
  jest.spyOn(duplicates, 'find').mockImplementation(async (...given) => {
    const found = await find(...given);
    await work();
    return found;
  });
}
