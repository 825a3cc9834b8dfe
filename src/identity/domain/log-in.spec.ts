import { coarseNetworkOf, FRESH_MS, isFresh, traitsOf } from './log-in.js';

it.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:1:2::77', '2001:db8:1::/48'],
  ['::1', '0:0:0::/48'],
  ['unknown', 'unknown'],
])('the coarse network of %s is %s', (address, network) => {
  expect(coarseNetworkOf(address)).toBe(network);
});

it('a user agent is cut after 200 characters', () => {
  expect(traitsOf({ address: '203.0.113.1', userAgent: 'x'.repeat(500) }).userAgent).toHaveLength(200);
  expect(traitsOf({ address: '203.0.113.1', userAgent: null }).userAgent).toBeNull();
});

it('a log-in is fresh for five minutes', () => {
  const authenticatedAt = new Date('2026-01-01T12:00:00Z');
  const after = (milliseconds: number): Date => new Date(authenticatedAt.getTime() + milliseconds);
  expect(isFresh({ authenticatedAt }, after(FRESH_MS))).toBe(true);
  expect(isFresh({ authenticatedAt }, after(FRESH_MS + 1))).toBe(false);
});
