import { exposureOf } from '../../../../test/support/exposures.js';
import { atOnce } from '../../../kernel/slices.js';
import { unmaskFields } from './unmask-fields.js';

const exposure = exposureOf([
  { type: 'field_mask', config: { paths: ['value', 'metadata.card.pin'], strategy: 'remove' } },
]);
const stored = { title: 'a', value: 'secret', metadata: { card: { pin: 1 } }, importance_score: 0.5 };
const shown = exposure.expose(stored, { id: 'a', tagIds: [], nodeType: '' });
const meant = (written: object) =>
  atOnce(unmaskFields(exposure, { written: written as Record<string, unknown>, shown, stored }));

describe('unmaskFields', () => {
  it('a write as it is meant has nothing of a field that its writer is not shown and sets to null', () => {
    expect(meant({ value: null, title: 'b' })).toEqual({ fields: { title: 'b' }, unseen: [] });
  });

  it('a write as it is meant names a field that its writer is not shown and sets to a value, whichever is stored', () => {
    for (const value of ['secret', 'guess'])
      expect(meant({ value })).toEqual({ fields: { value }, unseen: ['value'] });
  });

  it('a write as it is meant takes null for a shown field and for one that is in no answer as it is', () => {
    expect(meant({ importance_score: null, graph_view: null })).toEqual({
      fields: { importance_score: null, graph_view: null },
      unseen: [],
    });
  });

  it.each([[{ card: {} }], [{ card: null }], [{}], [null]])(
    'a write as it is meant keeps what is hidden where metadata is set to %j, and names no field',
    (metadata) => {
      expect(meant({ metadata })).toEqual({ fields: { metadata: stored.metadata }, unseen: [] });
    },
  );
});
