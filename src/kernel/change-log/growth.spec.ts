import { reserveOf } from './growth.js';

const change = (entity: string, action: string, rest: object = {}) => ({
  entity,
  action,
  snapshot: { id: 'x' },
  ...rest,
});
const LARGE = { snapshot: { tag_ids: ['x'.repeat(5_000)] } };

describe('reserveOf (rule 9.8d)', () => {
  it.each([
    ['nothing for a new node', change('node', 'created'), 0],
    ['nothing for a share that shows more', change('share', 'updated'), 0],
    [
      'without end for a share that another person gives',
      change('share', 'created', { isNeverRefused: true }),
      null,
    ],
    ['without end for the end of a share', change('share', 'revoked', LARGE), null],
    ['without end for a small change of a profile', change('exposure_profile', 'updated'), null],
    ['a tenth for a large change of a profile', change('exposure_profile', 'updated', LARGE), 0.1],
    ['a tenth for large requests of an app', change('app', 'updated', LARGE), 0.1],
    ['a tenth for a large authorization', change('authorization', 'updated', LARGE), 0.1],
    ['without end for a deleted profile', change('exposure_profile', 'deleted', LARGE), null],
    ['without end for a deleted node', change('node', 'deleted', LARGE), null],
  ])('the reserve of a write beyond the bytes of the graph is %s', (_, one, reserve) =>
    expect(reserveOf([one])).toBe(reserve),
  );

  it('the reserve of a write beyond the bytes of the graph is the least of all changes of the write', () => {
    expect(reserveOf([change('exposure_profile', 'updated', LARGE), change('node', 'created')])).toBe(0);
    expect(reserveOf([change('node', 'deleted'), change('exposure_profile', 'updated', LARGE)])).toBe(0.1);
  });
});
