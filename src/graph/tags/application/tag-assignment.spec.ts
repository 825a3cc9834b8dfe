import { type Access, TagVocabulary } from '../../../privacy/index.js';
import { TagAssignment } from './tag-assignment.js';

/** Five of these letters are 90 in their compatibility form, by which names are compared. */
const LONG_LETTER = '\ufdfa';
const NAMES = Array.from({ length: 10_000 }, (_, index) => `${index}${LONG_LETTER.repeat(5)}`);
const LOOKED_UP = new Error('looked up');

const ACCESS = { vocabulary: new TagVocabulary([]), tags: { discover: { allowAll: true } } };

/** An assignment of an owner without tags. */
function assignmentWith(findNamed: () => Promise<never>): TagAssignment {
  const tags = {
    findNamed,
    lockAll: () => Promise.resolve(),
    insertNew: () => Promise.resolve(new Set<string>()),
  };
  const tools = { tags, clock: { now: () => new Date(0) }, made: () => undefined };
  return new TagAssignment(ACCESS as unknown as Access, tools);
}

describe('TagAssignment', () => {
  it('others are served while the keys of many long names are worked out', async () => {
    let turns = 0;
    const beside = setInterval(() => void (turns += 1), 0);
    let turnsBefore: number | null = null;
    const findNamed = () => {
      turnsBefore = turns;
      return Promise.reject(LOOKED_UP);
    };
    try {
      const assignment = assignmentWith(findNamed);
      await expect(assignment.resolve('create', NAMES)).rejects.toBe(LOOKED_UP);
    } finally {
      clearInterval(beside);
    }
    expect(turnsBefore).toBeGreaterThan(0);
  });

  it('a name that no tag can take is refused without a statement', async () => {
    const assignment = assignmentWith(() => Promise.reject(LOOKED_UP));
    const refused = assignment.resolve('create', [LONG_LETTER.repeat(6)]);
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});
