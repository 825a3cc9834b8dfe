import { describe, expect, it } from '@jest/globals';
import { type ChangedNodes } from '../domain/api.js';
import { passChanges } from './listening.js';

const ids = (count: number): string[] => Array.from({ length: count }, (_, place) => `n${place}`);

async function* pages(...of: ChangedNodes[]): AsyncIterable<ChangedNodes> {
  yield* of;
}

function hearing() {
  const heard: string[] = [];
  const announcer = {
    resourceUpdated: (uri: string) => void heard.push(uri),
    resourcesChanged: () => void heard.push('resources'),
    toolsChanged: () => void heard.push('tools'),
  };
  return { heard, announcer };
}

describe('passChanges', () => {
  it('changes are announced in order, and the end of the access as a change of tools and profile', async () => {
    const { heard, announcer } = hearing();
    await passChanges(pages({ nodeIds: ids(2), isListChanged: true }), announcer);
    expect(heard).toEqual(['graph://node/n0', 'graph://node/n1', 'resources', 'tools', 'graph://profile']);
  });

  it('a client that takes nothing holds back all but the first announcements of a page', async () => {
    const { heard, announcer } = hearing();
    const never = new Promise<void>(() => undefined);
    void passChanges(pages({ nodeIds: ids(1_000), isListChanged: true }), announcer, () => never);
    await new Promise(setImmediate);
    expect(heard).toHaveLength(50);
  });
});
