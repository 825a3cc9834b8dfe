import { type Step } from './proposal-content.js';
import { writtenValues } from './written-values.js';

const step = (payload: object): Step =>
  ({ id: 'a', ref: null, type: 'CREATE_NODE', payload, path: 'canonical_data' }) as unknown as Step;

describe('values that the steps of a proposal write', () => {
  it('values of new nodes and of changes are found; texts elsewhere, absent values and null are not', () => {
    const steps = [
      step({ title: 'title', value: 'of a new node' }),
      step({ node_id: 'id', changes: { value: 'of a change', metadata: { value: 'other' } } }),
      step({ node_id: 'id', changes: { value: null } }),
      step({ changes: [{ value: 'in a list' }] }),
    ];
    expect(writtenValues(steps)).toEqual(['of a new node', 'of a change']);
  });
});
