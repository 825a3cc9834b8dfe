import { describe, expect, it } from '@jest/globals';
import { newRefreshText, stateOf } from './refresh-token.js';

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

  it('a refresh token is 256 bits of chance', () => {
    expect(newRefreshText()).toMatch(/^pig_refresh_[A-Za-z0-9_-]{43}$/);
    expect(newRefreshText()).not.toBe(newRefreshText());
  });
});
