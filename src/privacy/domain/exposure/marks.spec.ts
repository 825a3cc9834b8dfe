import { atOnce } from '../../../kernel/slices.js';
import { FieldExposure } from './field-exposure.js';
import type { Transformation } from './transformation.js';

const exposureOf = (...transformations: Transformation[]): FieldExposure =>
  new FieldExposure({ detail: 'full', transformations, pseudonymKey: 'key' });

const marks = (transformation: Transformation, written: unknown, shown?: unknown): string[] =>
  atOnce(exposureOf(transformation).marking('metadata', { shown: shown ?? {}, written }));

describe('marks in what is written', () => {
  it('every rendering that a mask with a form makes is recognized', () => {
    const masks: Transformation[] = [
      { type: 'pii_redaction' },
      { type: 'pii_redaction', config: { replacement: '[EMAIL]' } },
      { type: 'pii_redaction', config: { replacement: 'hidden' } },
      { type: 'pii_redaction', config: { replacement: '*' } },
      { type: 'field_mask', config: { paths: ['metadata'], strategy: 'hash' } },
      { type: 'field_mask', config: { paths: ['metadata'], strategy: 'last4' } },
      { type: 'pseudonymize', config: { paths: ['metadata'] } },
    ];
    for (const mask of masks) {
      const exposure = exposureOf(mask);
      for (const secret of ['ada@example.com', '7c9e6679-7425-40de-944b-e07fc1f90ae7']) {
        if (mask.type === 'pii_redaction' && !secret.includes('@')) continue;
        const { shown } = exposure.exposeValue(
          'metadata',
          { shown: secret },
          {
            id: 'a',
            tagIds: [],
            nodeType: 'n',
          },
        ) as { shown: unknown };
        const written = { mail: shown, list: [{ deep: shown }] };
        expect(atOnce(exposure.marking('metadata', { shown: {}, written }))).toEqual([
          'metadata.mail',
          'metadata.list.deep',
        ]);
        expect(atOnce(exposure.marking('metadata', { shown: written, written }))).toEqual([]);
      }
    }
  });

  it.each(['e-mail', '-', '<a/b>', '\\d^$.|?*+(){}[]', '(?<x', '\ud83d', '😀', 'ä-<entity>'])(
    'the replacement %j is a mark, whatever its signs mean in a pattern',
    (replacement) => {
      const mark = replacement.replace('<entity>', 'email');
      const masked = marks(
        { type: 'pii_redaction', config: { replacement } },
        { note: `to ${mark}!`, other: 'to' },
      );
      expect(masked).toEqual(['metadata.note']);
    },
  );

  it('a text edited around a mark carries it', () => {
    const mask: Transformation = { type: 'pii_redaction' };
    const shown = { note: 'write to [REDACTED:email] today' };
    expect(marks(mask, { note: 'write to [REDACTED:email] today, or tomorrow' }, shown)).toEqual([
      'metadata.note',
    ]);
    expect(marks(mask, { note: 'write to nobody' }, shown)).toEqual([]);
  });

  it('marks below a key as long as a value are named by the place above it, once', () => {
    const last4: Transformation = { type: 'field_mask', config: { paths: ['metadata'], strategy: 'last4' } };
    const pins = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`v${index}`, '****1234']));
    expect(marks(last4, { ['k'.repeat(20_000)]: pins, pin: '****1234' })).toEqual([
      'metadata',
      'metadata.pin',
    ]);
  });

  it('a text that only resembles a mark is not one', () => {
    const redaction: Transformation = { type: 'pii_redaction', config: { entities: ['email'] } };
    expect(marks(redaction, { note: '[REDACTED:phone] [REDACTED] REDACTED:email' })).toEqual([]);
    const word: Transformation = { type: 'pii_redaction', config: { replacement: 'hidden' } };
    expect(marks(word, { note: 'unhidden hiddenly' })).toEqual([]);
    const last4: Transformation = {
      type: 'field_mask',
      config: { paths: ['metadata.pin'], strategy: 'last4' },
    };
    expect(marks(last4, { pin: '*****1234', note: '****1234' })).toEqual([]);
    const hash: Transformation = {
      type: 'field_mask',
      config: { paths: ['metadata.pin'], strategy: 'hash' },
    };
    expect(marks(hash, { pin: '7c9e6679-7425-40de-944b-e07fc1f90ae7' })).toEqual([]);
  });

  it('masks that leave no form have no marks', () => {
    const empty: Transformation = { type: 'pii_redaction', config: { replacement: ' ' } };
    expect(marks(empty, { note: 'a b' })).toEqual([]);
    const cut: Transformation = { type: 'truncate', config: { field: 'metadata.note', max: 3 } };
    expect(marks(cut, { note: 'abc' })).toEqual([]);
  });

  it('a mark is found however the mask works on the node', () => {
    const bound: Transformation = { type: 'pii_redaction', apply_to: { node_types: ['Other'] } };
    expect(marks(bound, { note: '[REDACTED:email]' })).toEqual(['metadata.note']);
    const elsewhere: Transformation = { type: 'pii_redaction', apply_to: { fields: ['value'] } };
    expect(marks(elsewhere, { note: '[REDACTED:email]' })).toEqual([]);
  });
});
