import { addOnlookersOfShares, type Onlooker, shownMore } from './onlooker.js';
import { FieldExposure } from './exposure/field-exposure.js';
import { type GrantingShare } from './effective-share.js';
import { visibility } from './visibility.js';

const NOW = new Date('2026-01-02');
const [PAST, SOON, LATE] = ['2026-01-01', '2026-01-03', '2026-01-04'].map((day) => new Date(day)) as [
  Date,
  Date,
  Date,
];
const tag = (digit: string): string => `${digit.repeat(8)}-0000-4000-8000-000000000000`;
const [A, B, DELETED] = [tag('a'), tag('b'), tag('d')];
const share = (tagIds: string[], rest: Partial<GrantingShare> = {}): GrantingShare => ({
  id: 'share',
  ownerId: 'alice',
  graphOwnerId: 'alice',
  sharedWithUserId: 'bob',
  parentShareId: null,
  scope: 'specific_tags',
  tagIds,
  nodeIds: [],
  canRead: true,
  canWrite: false,
  canDelete: false,
  canShare: false,
  expiresAt: null,
  revokedAt: null,
  ...rest,
});
const ends = (...chains: GrantingShare[][]): (Date | null)[] => {
  const united = new Map<string, Onlooker>();
  // In two pages, as they are read.
  for (const page of [chains.slice(0, 1), chains.slice(1)])
    addOnlookersOfShares(united, page, { isLivingTag: (id) => id !== DELETED, now: NOW });
  return [...united.values()].map(({ expiresAt }) => expiresAt);
};

describe('addOnlookersOfShares', () => {
  it('the recipients of shares as onlookers are one for all shares of the same tags, up to the latest end', () => {
    expect(ends([share([A, B], { expiresAt: LATE })], [share([B, A], { expiresAt: SOON })])).toEqual([LATE]);
    expect(ends([share([A], { expiresAt: LATE })], [share([A])])).toEqual([null]);
    expect(ends([share([A])], [share([A], { expiresAt: LATE })])).toEqual([null]);
  });

  it('the recipients of shares as onlookers are several for shares of different tags', () => {
    expect(ends([share([A])], [share([B], { expiresAt: SOON })])).toEqual([null, SOON]);
  });

  it('the recipients of shares as onlookers are none for shares that are over or show nothing', () => {
    const parent = share([A], { revokedAt: PAST, canShare: true });
    expect(ends([share([A], { expiresAt: PAST })], [share([A]), parent], [share([DELETED])])).toEqual([]);
  });
});

describe('shownMore', () => {
  const reader = (tagId: string): Onlooker => ({
    read: visibility.taggedAny([tagId]),
    exposure: FieldExposure.full,
    expiresAt: null,
  });
  const facts = (...tagIds: string[]) => ({ tagIds, schemaId: null, nodeType: 'note', createdAt: NOW });
  const moved = (id: string, to: string) => ({ id, from: facts(), to: facts(to) });

  it('the nodes that onlookers are shown more of are found in one step for each pair of a node and an onlooker, so that others are served in between', () => {
    const work = shownMore([moved('1', A), moved('2', B)], [reader(DELETED), reader(DELETED), reader(B)]);
    let steps = 0;
    for (;;) {
      const { done, value } = work.next();
      if (done === true) {
        expect(value).toEqual(['2']);
        break;
      }
      steps++;
    }
    expect(steps).toBe(6);
  });
});
