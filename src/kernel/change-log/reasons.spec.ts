import { callersReason, IMPORT_REASON } from './reasons.js';

describe('callersReason', () => {
  it.each(['', 'a correction', 'Import of v', 'an import of v', '"import of v"'])(
    'the reason that a caller gives keeps %j',
    (text) => {
      expect(callersReason(text)).toBe(text);
    },
  );

  it('puts a reason that only imports have in quotation marks, within its length', () => {
    expect(callersReason('import of v')).toBe('"import of v"');
    const longest = callersReason(IMPORT_REASON.padEnd(997, 'x') + '😀'.repeat(2));
    expect(longest).toMatch(/^"import of x+\uFFFD"$/);
    expect(longest).toHaveLength(1000);
  });
});
