import { type Standing } from '../../graph/index.js';
import { type NodeFacts } from '../../privacy/index.js';
import { movesEdges, shownDifferences, thingDecision } from './thing-events.js';

const STANDINGS: readonly Standing[] = ['absent', 'deleted', 'hidden', 'shown'];
const NOTHING = { mayHave: false, has: false };
const HELD = { mayHave: true, has: true };
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
    tagIds: ['a', 'b'],
    schemaId: null,
    nodeType: 'NOTE',
    createdAt: new Date(0),
  };
  const step = { action: 'updated', isMerged: false, before: facts, facts };

  it('a change of what a node says moves none of its relationships', () => {
    expect(movesEdges(step)).toBe(false);
    expect(movesEdges({ ...step, facts: { ...facts, tagIds: ['b', 'a'] } })).toBe(false);
    expect(movesEdges({ ...step, action: 'created', before: null })).toBe(false);
  });

  it.each([{ tagIds: ['a'] }, { schemaId: 'schema' }, { nodeType: 'PERSON' }])(
    'a change of %j moves relationships',
    (changed) => {
      expect(movesEdges({ ...step, facts: { ...facts, ...changed } })).toBe(true);
    },
  );

  it('deletions and restorations move relationships, merges do so by changes of their own', () => {
    expect(movesEdges({ ...step, action: 'deleted' })).toBe(true);
    expect(movesEdges({ ...step, action: 'restored' })).toBe(true);
    expect(movesEdges({ ...step, action: 'deleted', isMerged: true })).toBe(false);
  });
});
