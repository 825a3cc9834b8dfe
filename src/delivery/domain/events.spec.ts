import { describe, expect, it } from '@jest/globals';
import { EVENT_ENTITIES, EVENT_NAMES, eventNamed, eventOf, PROPOSAL_EVENT_NAMES } from './events.js';

describe('the names of events (rule 8.8)', () => {
  it('the entities that are read for receivers are those with an event', () => {
    expect(EVENT_ENTITIES).toEqual([
      'node',
      'embedding',
      'relationship',
      'tag',
      'proposal',
      'share',
      'authorization',
    ]);
    for (const name of EVENT_NAMES)
      expect([name, EVENT_ENTITIES.some((entity) => eventNamed(name)?.includes(entity))]).toEqual([
        name,
        true,
      ]);
  });

  it('an action of an entity without an event of its own has none', () => {
    expect(eventOf('proposal', 'failed')).toBe('proposal.failed');
    expect(eventOf('proposal', 'withdrawn')).toBeNull();
    expect(eventOf('share', 'updated')).toBeNull();
    expect(eventOf('authorization', 'deleted')).toBeNull();
    expect(eventOf('authorization', 'updated')).toBe('authorization.changed');
    expect(eventOf('node', 'toString')).toBeNull();
  });

  it('proposal events have two spellings, and all others one', () => {
    expect(eventNamed('ready')).toBe('proposal.ready');
    expect(eventNamed('proposal.ready')).toBe('proposal.ready');
    expect(eventNamed('revoked')).toBeNull();
    expect(eventNamed('constructor')).toBeNull();
    expect(PROPOSAL_EVENT_NAMES.map(eventNamed)).not.toContain(null);
  });
});
