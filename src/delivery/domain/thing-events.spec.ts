import { type Standing } from '../../graph/index.js';
import { newId } from '../../kernel/ids.js';
import { exposureOf } from '../../../test/support/exposures.js';
import { type Access, type NodeFacts, visibility } from '../../privacy/index.js';
import { movesEdges, shownDifferences, thingDecision } from './thing-events.js';

const STANDINGS: readonly Standing[] = ['absent', 'deleted', 'hidden', 'shown'];
const NOTHING = { mayHave: false, has: false };
const HELD = { mayHave: true, has: true };
const [READABLE, MASKED, OTHER, OTHER_YET] = [newId(), newId(), newId(), newId()];
const CHANGES = { strength: { old: 1, new: 0.5 } };

const decide = (
  [before, after, present]: readonly [Standing, Standing, Standing],
  { held = NOTHING, changes = null as typeof CHANGES | null } = {},
) => thingDecision('relationship', { before, after, present }, { held, changes });

const LOST = { event: 'relationship.deleted', reason: 'access_removed', hasNodeAfter: false };

describe('thingDecision', () => {
  it.each(['absent', 'deleted', 'hidden'] as const)(
    'a relationship that was %s and is shown is created for a receiver without it',
    (before) => {
      const decision = { event: 'relationship.created', hasNodeAfter: true };
      expect(decide([before, 'shown', 'shown'])).toEqual(decision);
    },
  );

  it('a relationship that comes back into view is updated without changes for a receiver that has it', () => {
    const decision = { event: 'relationship.updated', changes: {}, hasNodeAfter: true };
    expect(decide(['hidden', 'shown', 'shown'], { held: HELD })).toEqual(decision);
    expect(decide(['hidden', 'shown', 'shown'], { held: { mayHave: true, has: false } })).toMatchObject({
      event: 'relationship.created',
    });
  });

  it('a shown relationship has an update exactly where it is shown otherwise', () => {
    expect(decide(['shown', 'shown', 'shown'])).toBeNull();
    expect(decide(['shown', 'shown', 'shown'], { changes: CHANGES })).toEqual({
      event: 'relationship.updated',
      changes: CHANGES,
      hasNodeAfter: true,
    });
  });

  it('an end is an event where the relationship was shown before, whether it was sent or not', () => {
    const deleted = { event: 'relationship.deleted', reason: 'deleted' };
    expect(decide(['shown', 'deleted', 'deleted'])).toEqual({ ...deleted, hasNodeAfter: false });
    expect(decide(['shown', 'deleted', 'shown'])).toEqual(deleted);
    expect(decide(['hidden', 'deleted', 'deleted'], { held: HELD })).toBeNull();
  });

  it('a loss is an event for a receiver that may have the relationship, unless it is back', () => {
    const held = { mayHave: true, has: false };
    expect(decide(['shown', 'hidden', 'hidden'], { held })).toEqual(LOST);
    expect(decide(['shown', 'hidden', 'deleted'], { held })).toEqual(LOST);
    expect(decide(['shown', 'hidden', 'hidden'])).toBeNull();
    expect(decide(['shown', 'hidden', 'shown'], { held })).toBeNull();
  });

  it('nothing is created or updated that is not shown both after the change and now', () => {
    for (const before of STANDINGS)
      for (const after of STANDINGS)
        for (const present of STANDINGS) {
          const decision = decide([before, after, present], { held: HELD, changes: CHANGES });
          if (after === 'shown' && present === 'shown') continue;
          expect([null, 'relationship.deleted']).toContain(decision?.event ?? null);
          if (before !== 'shown') expect(decision).toBeNull();
        }
  });

  it('events of tags do not say what a receiver has', () => {
    const standings = { before: 'shown', after: 'deleted', present: 'deleted' } as const;
    expect(thingDecision('tag', standings, { held: NOTHING, changes: null })).toEqual({
      event: 'tag.deleted',
      reason: 'deleted',
    });
  });
});

describe('shownDifferences', () => {
  it('differing fields are named with their shown values, hidden ones without any', () => {
    const before = { id: 'a', strength: 1, context: 'x', version: 1, updated_at: 'then' };
    const after = { id: 'a', strength: 0.5, emotion_type: 'joy', version: 2, updated_at: 'now' };
    expect(shownDifferences(before, after)).toEqual({
      strength: { old: 1, new: 0.5 },
      context: { old: 'x' },
      emotion_type: { new: 'joy' },
    });
    expect(shownDifferences(before, { ...before, version: 2 })).toEqual({});
  });
});

describe('movesEdges', () => {
  const facts: NodeFacts = {
    id: 'node',
    tagIds: [READABLE, OTHER],
    schemaId: null,
    nodeType: 'NOTE',
    createdAt: new Date(0),
  };
  const step = { action: 'updated', isMerged: false, before: facts, facts };
  const exposure = exposureOf([
    { type: 'field_mask', config: { paths: ['value'] }, apply_to: { tag_ids: [MASKED] } },
  ]);
  const access = { exposure, nodes: { read: visibility.taggedAny([READABLE]) } } as unknown as Access;
  const moves = (change: Partial<Parameters<typeof movesEdges>[1]>) =>
    movesEdges(access, { ...step, ...change });
  const tagged = (...tagIds: string[]) => ({ ...facts, tagIds });

  it('a change that the rules do not look at moves no relationships of the node', () => {
    expect(moves({})).toBe(false);
    expect(moves({ facts: tagged(READABLE, OTHER, OTHER_YET) })).toBe(false);
    expect(moves({ before: tagged(OTHER), facts: tagged(OTHER_YET) })).toBe(false);
    expect(moves({ action: 'created', before: null })).toBe(false);
  });

  it('a node that comes, leaves or is masked otherwise moves its relationships', () => {
    expect(moves({ facts: tagged(OTHER) })).toBe(true);
    expect(moves({ before: tagged(OTHER) })).toBe(true);
    expect(moves({ facts: tagged(READABLE, MASKED) })).toBe(true);
  });

  it('deletions and restorations of readable nodes move relationships, merges do so by changes of their own', () => {
    expect(moves({ action: 'deleted' })).toBe(true);
    expect(moves({ action: 'restored' })).toBe(true);
    expect(moves({ action: 'deleted', before: tagged(OTHER), facts: tagged(OTHER) })).toBe(false);
    expect(moves({ action: 'deleted', isMerged: true })).toBe(false);
  });
});
