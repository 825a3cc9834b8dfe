import { type Access, TagVocabulary } from '../../../privacy/index.js';
import { TagAssignment } from './tag-assignment.js';

const NAMES = Array.from({ length: 2_000 }, (_, index) => `${index}${'\ufdfa'.repeat(90)}`);
const LOOKED_UP = new Error('looked up');

describe('TagAssignment', () => {
  it('others are served while the keys of many long names are worked out', async () => {
    let turns = 0;
    const beside = setInterval(() => void (turns += 1), 0);
    let turnsBefore: number | null = null;
    const tags = {
      findNamed: () => {
        turnsBefore = turns;
        return Promise.reject(LOOKED_UP);
      },
      lockAll: () => Promise.resolve(),
      insertNew: () => Promise.resolve(new Set<string>()),
    };
    const access = { vocabulary: new TagVocabulary([]), tags: { discover: { allowAll: true } } };
    const tools = { tags, clock: { now: () => new Date(0) }, made: () => undefined };
    try {
      const assignment = new TagAssignment(access as unknown as Access, tools);
      await expect(assignment.resolve('create', NAMES)).rejects.toBe(LOOKED_UP);
    } finally {
      clearInterval(beside);
    }
    expect(turnsBefore).toBeGreaterThan(0);
  });
});
