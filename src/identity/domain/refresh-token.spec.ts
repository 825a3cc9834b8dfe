import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import {
  type Family,
  familyIn,
  isRefreshText,
  newRefreshText,
  stateOf,
  successorOf,
} from './refresh-token.js';

const now = new Date('2026-01-01T00:00:00Z');
const past = new Date(now.getTime() - 1);
const future = new Date(now.getTime() + 1);

describe('newRefreshText and stateOf', () => {
  it.each([
    ['living', { expiresAt: future, spentAt: null, endedAt: null }],
    ['expired', { expiresAt: now, spentAt: null, endedAt: null }],
    ['spent', { expiresAt: future, spentAt: past, endedAt: null }],
    ['spent', { expiresAt: past, spentAt: past, endedAt: null }],
    ['ended', { expiresAt: future, spentAt: past, endedAt: past }],
    ['ended', { expiresAt: past, spentAt: null, endedAt: past }],
  ] as const)('a refresh token is %s', (state, token) => {
    expect(stateOf(token, now)).toBe(state);
  });

  const family: Family = {
    userId: '0197a3c2-6f0e-4c11-9d53-1a2b3c4d5e6f',
    familyId: '0197a3c2-6f0e-7c11-8d53-6f5e4d3c2b1a',
  };
  const signer = (key: string) => (text: string) =>
    createHmac('sha256', key).update(text).digest('base64url');
  const sign = signer('key');

  it('a refresh token is new each time and names its log-in', () => {
    const text = newRefreshText(family, sign);
    expect(text).toMatch(/^pig_refresh_[A-Za-z0-9_-]{108}$/);
    expect(text).not.toBe(newRefreshText(family, sign));
    expect([isRefreshText(text), familyIn(text, sign)]).toEqual([true, family]);
  });

  it('a refresh token has one successor, which another key does not make', () => {
    const text = newRefreshText(family, sign);
    const next = successorOf(text, family, sign);
    expect([isRefreshText(next), familyIn(next, sign)]).toEqual([true, family]);
    expect(successorOf(text, family, sign)).toBe(next);
    expect(successorOf(text, family, signer('another'))).not.toBe(next);
    expect(successorOf(next, family, sign)).not.toBe(next);
  });

  it('a refresh token names no log-in after any change, with another key and in the earlier form', () => {
    const text = newRefreshText(family, sign);
    for (let at = 'pig_refresh_'.length; at < text.length; at++) {
      const changed = text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
      expect(familyIn(changed, sign)).toBeNull();
    }
    expect(familyIn(text, signer('another'))).toBeNull();
    for (const other of [`pig_refresh_${'A'.repeat(43)}`, `pig_refresh_${'A'.repeat(108)}`, '', text + 'A'])
      expect(familyIn(other, sign)).toBeNull();
  });
});
