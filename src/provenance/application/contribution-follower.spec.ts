import { jest } from '@jest/globals';
import { type Change, type RecordedChange } from '../../kernel/change-log/change.js';
import { ChangeFollowers } from '../../kernel/change-log/change-followers.js';
import { ContributionFollower } from './contribution-follower.js';

const facts = { tagIds: [], schemaId: null, nodeType: 'NOTE', createdAt: new Date(0) };
const update = (index: number, over: Partial<Change> = {}): RecordedChange => ({
  change: {
    ownerId: 'o',
    entity: 'node',
    entityId: `n${index}`,
    action: 'updated',
    version: 2,
    snapshot: null,
    changedFields: { metadata: { old: { a: 1, b: 1 }, new: { a: index, c: 1 } } },
    facts,
    ...over,
  },
  actor: { type: 'user', userId: 'o', appId: null },
});

describe('contributions that follow changes', () => {
  let followers: ChangeFollowers;
  beforeEach(() => {
    followers = new ChangeFollowers();
    new ContributionFollower(followers).onModuleInit();
  });
  afterEach(() => jest.restoreAllMocks());

  let time = 0;
  /** A clock by which each step of work takes longer than a slice; it never goes back. */
  const slowClock = (): void => {
    time = Math.max(time, performance.now());
    jest.spyOn(performance, 'now').mockImplementation(() => (time += 10));
  };

  it.each([
    ['written', {}],
    ['taken back', { takesBack: 1 }],
  ])('others are served between changes that are %s together', async (_, over: Partial<Change>) => {
    slowClock();
    let turns = 0;
    let beside = setImmediate(function count() {
      turns += 1;
      beside = setImmediate(count);
    });
    const changes = Array.from({ length: 20 }, (_one, index) => update(index + 2, over));
    try {
      const [followUp] = await followers.of(changes);
      expect(JSON.stringify(followUp?.payload)).toContain('n21');
    } finally {
      clearImmediate(beside);
    }
    expect(turns).toBeGreaterThan(10);
  });

  it('the contributions of a single change need no promise', () => {
    slowClock();
    expect(followers.of([update(2)])).toEqual([expect.objectContaining({ name: 'contributions-all' })]);
  });
});
