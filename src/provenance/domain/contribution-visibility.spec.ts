import { exposureOf, health, work } from '../../../test/support/exposures.js';
import { type Access, RAW_FILE_SCHEMA_ID } from '../../privacy/index.js';
import {
  contributionVisibility,
  differenceName,
  type NodeFactsRow,
  type StoredStates,
} from './contribution-visibility.js';

const state = (tag: string, schema_id: string | null = null): NodeFactsRow => ({
  tag_ids: [tag],
  node_type: 'NOTE',
  schema_id,
});
const [masked, free] = [state(health), state(work)];
const steady = (facts: NodeFactsRow): StoredStates => [facts, facts, facts, null];

function accessWith(config: object): Access {
  const mask = { type: 'field_mask', config, apply_to: { tag_ids: [health] } };
  return { exposure: exposureOf([mask]) } as unknown as Access;
}

const ofTitle = (strategy: string): Access => accessWith({ paths: ['title'], strategy });

describe('the visibility of contributions to a path in the states of a step (rule 3.20c)', () => {
  it('a contribution to a field that no mask concerns is shown as stored', () => {
    expect(contributionVisibility(ofTitle('null'), 'title', steady(free))).toBe('as stored');
    expect(contributionVisibility(ofTitle('null'), 'value', steady(masked))).toBe('as stored');
  });

  it('a contribution to a field that is always shown as null is left out', () => {
    expect(contributionVisibility(ofTitle('null'), 'title', steady(masked))).toBe('left out');
  });

  it('a contribution to a field that is shown in part exists where the shown part differs', () => {
    expect(contributionVisibility(ofTitle('last4'), 'title', steady(masked))).toBe('compared');
  });

  it.each([
    ['concerned the field before and not after', [masked, free, free, null]],
    ['concerned it then and concerns it no longer', [masked, masked, free, null]],
  ] as [string, StoredStates][])('a step in which a mask %s is left out', (_, states) => {
    expect(contributionVisibility(ofTitle('last4'), 'title', states)).toBe('left out');
  });

  it('a mask that concerns the field only since the step still decides what is shown of it', () => {
    expect(contributionVisibility(ofTitle('null'), 'title', [free, free, masked, null])).toBe('left out');
    expect(contributionVisibility(ofTitle('last4'), 'title', [free, free, masked, null])).toBe('compared');
  });

  it('the name of a file in its metadata is shown as its title is', () => {
    const file = steady(state(health, RAW_FILE_SCHEMA_ID));
    expect(contributionVisibility(ofTitle('null'), 'metadata.filename', file)).toBe('left out');
    expect(contributionVisibility(ofTitle('null'), 'metadata.size_bytes', file)).toBe('as stored');
    expect(contributionVisibility(ofTitle('null'), 'metadata.filename', steady(masked))).toBe('as stored');
  });

  it('steps of one visibility share a name for their difference, steps of a file have none', () => {
    const access = ofTitle('last4');
    const named = (path: string, states: StoredStates) =>
      differenceName(access, { node_id: 'n', path, states });
    expect(named('title', steady(masked))).toBe(named('title', steady(masked)));
    expect(named('title', steady(masked))).not.toBe(named('title', steady(free)));
    expect(named('metadata.filename', steady(state(health, RAW_FILE_SCHEMA_ID)))).toBeNull();
  });
});
