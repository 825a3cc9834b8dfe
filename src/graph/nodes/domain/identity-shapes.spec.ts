import { identityShapeErrors } from './identity-shapes.js';
import { type IdentityType } from '../../common/index.js';

const wrong = (type: IdentityType, properties: unknown): string[] =>
  identityShapeErrors(type, { properties }).map(({ field }) => field.replace('metadata.properties.', ''));

describe('identityShapeErrors', () => {
  it('the shapes of identity nodes are checked where a key is present, and free elsewhere', () => {
    for (const type of ['EXPERIENCE', 'BELIEF', 'ENTITY', 'GOAL'] as const) {
      expect(identityShapeErrors(type, null)).toEqual([]);
      expect(identityShapeErrors(type, {})).toEqual([]);
      expect(wrong(type, {})).toEqual([]);
      expect(wrong(type, { own_key: [1, { a: null }] })).toEqual([]);
    }
  });

  it.each<[IdentityType, object]>([
    [
      'EXPERIENCE',
      {
        when: { type: 'instance', status: 'done', start: '2014', end: '2014-05' },
        where: 'Bergen',
        significance: '',
      },
    ],
    [
      'EXPERIENCE',
      { when: { type: 'series', status: 'future', start: '2024-02-29', end: '2026-03-01T10:00:00+02:00' } },
    ],
    ['BELIEF', { category: 'about_self', strength_of_belief: 7, status: 'outdated' }],
    ['ENTITY', { name: 'Ada', category: 'person' }],
    ['GOAL', { motivation: 'fun', time_horizon: 'lifelong', status: 'abandoned' }],
  ])('the shapes of identity nodes take what the specification lists: %s %j', (type, properties) => {
    expect(wrong(type, properties)).toEqual([]);
  });

  it.each<[IdentityType, object, string]>([
    ['EXPERIENCE', { when: 'yesterday' }, 'when'],
    ['EXPERIENCE', { when: { type: 'once' } }, 'when.type'],
    ['EXPERIENCE', { when: { status: 'over' } }, 'when.status'],
    ['EXPERIENCE', { when: { start: '2023-02-29' } }, 'when.start'],
    ['EXPERIENCE', { when: { end: 'soon' } }, 'when.end'],
    ['EXPERIENCE', { when: { end: null } }, 'when.end'],
    ['EXPERIENCE', { where: 7 }, 'where'],
    ['EXPERIENCE', { significance: ['much'] }, 'significance'],
    ['BELIEF', { category: 'about_you' }, 'category'],
    ['BELIEF', { strength_of_belief: 7.5 }, 'strength_of_belief'],
    ['BELIEF', { strength_of_belief: '7' }, 'strength_of_belief'],
    ['BELIEF', { status: 'Active' }, 'status'],
    ['ENTITY', { name: null }, 'name'],
    ['ENTITY', { category: 'pet' }, 'category'],
    ['GOAL', { motivation: 1 }, 'motivation'],
    ['GOAL', { time_horizon: 'soon' }, 'time_horizon'],
    ['GOAL', { status: 'done' }, 'status'],
  ])('the shapes of identity nodes refuse another type or value: %s %j', (type, properties, field) => {
    expect(wrong(type, properties)).toEqual([field]);
  });
});
