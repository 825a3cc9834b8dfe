import { describe, expect, it } from '@jest/globals';
import { GRACE_MS, refreshVerdict } from './app-session.js';

const NOW = new Date('2026-11-28T12:00:00Z');
const at = (milliseconds: number): Date => new Date(NOW.getTime() + milliseconds);

describe('refreshVerdict (rule 14.4c)', () => {
  it.each([
    ['fresh', null, 1],
    ['expired', null, 0],
    ['in grace', -GRACE_MS, 1],
    ['reused', -GRACE_MS - 1, 1],
    ['reused', -GRACE_MS - 1, -1],
    ['expired', -1, -1],
  ] as const)(
    'a refresh token is %s when it was spent %s ms ago and expires in %s ms',
    (verdict, spent, left) => {
      const token = { spentAt: spent === null ? null : at(spent), expiresAt: at(left) };
      expect(refreshVerdict(token, NOW)).toBe(verdict);
    },
  );
});
