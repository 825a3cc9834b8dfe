import { effectiveShare, type ShareTerms } from './effective-share.js';

const LINK: Omit<ShareTerms, 'id' | 'ownerId' | 'sharedWithUserId' | 'parentShareId'> = {
  graphOwnerId: 'alice',
  scope: 'all',
  canRead: true,
  canWrite: false,
  canDelete: false,
  canShare: true,
  expiresAt: null,
  revokedAt: null,
};
const ROOT: ShareTerms = {
  ...LINK,
  id: 'root',
  ownerId: 'alice',
  sharedWithUserId: 'bob',
  parentShareId: null,
};
const MIDDLE: ShareTerms = {
  ...LINK,
  id: 'middle',
  ownerId: 'bob',
  sharedWithUserId: 'carol',
  parentShareId: 'root',
};
const LEAF: ShareTerms = {
  ...LINK,
  id: 'leaf',
  ownerId: 'carol',
  sharedWithUserId: 'dave',
  parentShareId: 'middle',
  canShare: false,
};

describe('effectiveShare', () => {
  it.each<[string, ShareTerms[], boolean]>([
    ['the owner’s own share alone', [ROOT], true],
    ['re-shares down from the owner’s own share', [LEAF, MIDDLE, ROOT], true],
    ['a re-share without its parent', [LEAF], false],
    ['re-shares without the owner’s share', [LEAF, MIDDLE], false],
    ['a share of another’s graph without a parent', [{ ...LEAF, parentShareId: null }], false],
    ['a parent of another graph', [LEAF, { ...MIDDLE, graphOwnerId: 'bob', parentShareId: null }], false],
    ['a re-share of another graph', [{ ...LEAF, graphOwnerId: 'bob' }, MIDDLE, ROOT], false],
    ['a re-share by somebody who received nothing', [{ ...LEAF, ownerId: 'erin' }, MIDDLE, ROOT], false],
    ['a parent that is not the named one', [{ ...LEAF, parentShareId: 'other' }, MIDDLE, ROOT], false],
    ['an owner’s share with a parent', [LEAF, MIDDLE, { ...ROOT, parentShareId: 'leaf' }], false],
    ['a revoked parent', [LEAF, MIDDLE, { ...ROOT, revokedAt: new Date(0) }], false],
    ['a parent that may not be re-shared', [LEAF, { ...MIDDLE, canShare: false }, ROOT], false],
  ])('%s lives or not (rules 10.8b, 10.8e)', (_, chain, isLiving) => {
    expect(effectiveShare(chain).isLiving).toBe(isLiving);
  });
});
