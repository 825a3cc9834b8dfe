import { folded } from './folded.js';
import { type Transformation } from './transformation.js';

const mask = (...paths: string[]): Transformation => ({ type: 'field_mask', config: { paths } });
const hash = (...paths: string[]): Transformation => ({
  type: 'field_mask',
  config: { paths, strategy: 'hash' },
});

describe('folding transformations', () => {
  it('unites neighbouring masks of one strategy and the same nodes', () => {
    expect(folded([mask('title'), mask('value', 'title')])).toEqual([mask('title', 'value')]);
    expect(folded([mask('title'), { ...mask('value'), apply_to: { node_types: ['GOAL'] } }])).toHaveLength(2);
    expect(folded([mask('title'), { type: 'round_date' }, mask('value')])).toHaveLength(3);
  });

  it('makes one redaction of fifty equal ones, and leaves one for other kinds alone', () => {
    expect(folded(Array.from({ length: 50 }, () => ({ type: 'pii_redaction' })))).toHaveLength(1);
    const kinds = (...entities: ('email' | 'url')[]): Transformation => ({
      type: 'pii_redaction',
      config: { entities },
    });
    expect(folded([kinds('email', 'url'), kinds('url')])).toEqual([kinds('email', 'url')]);
    expect(folded([kinds('email'), kinds('email', 'url')])).toHaveLength(2);
  });

  it('keeps the shorter cut and the coarser date', () => {
    const cut = (max: number): Transformation => ({ type: 'truncate', config: { field: 'value', max } });
    const by = (granularity: 'day' | 'year'): Transformation => ({
      type: 'round_date',
      config: { granularity },
    });
    expect(folded([cut(9), cut(5), cut(7)])).toEqual([cut(5)]);
    expect(folded([by('year'), by('day')])).toEqual([by('year')]);
  });

  it('hashes a value once, however many neighbours select it', () => {
    const named = (...paths: string[]): Transformation => ({ type: 'pseudonymize', config: { paths } });
    expect(folded(Array.from({ length: 20 }, () => hash('title')))).toEqual([hash('title')]);
    expect(folded([hash('title'), hash('value', 'title')])).toEqual([hash('title', 'value')]);
    expect(folded([named('title'), named('value')])).toEqual([named('title', 'value')]);
    expect(folded([hash('title'), mask('value'), hash('title')])).toHaveLength(3);
  });
});
