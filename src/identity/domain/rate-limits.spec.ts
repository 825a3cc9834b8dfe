import { describe, expect, it } from '@jest/globals';
import { reservedWindows, retryAfter, scarcestWindow, windowsOf } from './rate-limits.js';

const NOW = new Date('2026-03-01T23:59:30.000Z');
const APP = {
  kind: 'app',
  appId: 'a',
  developerId: 'd',
  userId: 'u',
  isUserKey: false,
  tier: 'free',
} as const;

describe('windowsOf (rule 9.7)', () => {
  it('the windows a request counts in are minute and endpoint of app and user, and ten minutes and the day of the app, and fifty of its developer', () => {
    expect(windowsOf(APP, { name: 'POST /nodes', perMinute: 30 })).toEqual([
      { key: 'app a u', limit: 60, seconds: 60 },
      { key: 'app a', limit: 600, seconds: 60 },
      { key: 'developer d', limit: 3_000, seconds: 60 },
      { key: 'app a day', limit: 10_000, seconds: 86_400 },
      { key: 'app a u POST /nodes', limit: 30, seconds: 60 },
    ]);
  });

  it('a user key counts in minute, day and endpoint of app and user, and in no window of the app', () => {
    const key = { ...APP, isUserKey: true };
    expect(windowsOf(key, { name: 'POST /nodes', perMinute: 30 })).toEqual([
      { key: 'app a u', limit: 60, seconds: 60 },
      { key: 'app a u day', limit: 10_000, seconds: 86_400 },
      { key: 'app a u POST /nodes', limit: 30, seconds: 60 },
    ]);
    expect(windowsOf({ ...key, tier: 'enterprise' })).toEqual([
      { key: 'app a u', limit: 1_000, seconds: 60 },
    ]);
  });

  it('the windows a request counts in have no day for enterprise, and grow with the tier but for endpoints', () => {
    expect(windowsOf({ ...APP, tier: 'enterprise' }).map(({ limit }) => limit)).toEqual([
      1_000, 10_000, 50_000,
    ]);
    expect(
      windowsOf({ ...APP, tier: 'pro' }, { name: 'x', perMinute: 20 }).map(({ limit }) => limit),
    ).toEqual([300, 3_000, 15_000, 100_000, 20]);
  });

  it('a person with a token has a multiple of the minute and the day of their tier, an app and an endpoint none', () => {
    const person = { kind: 'user', userId: 'u', tier: 'free' } as const;
    const limits = (subject: Parameters<typeof windowsOf>[0]): number[] =>
      windowsOf(subject, { name: 'x', perMinute: 20 }, 10).map(({ limit }) => limit);
    expect(limits(person)).toEqual([600, 100_000, 20]);
    expect(limits({ ...person, tier: 'enterprise' })).toEqual([10_000, 20]);
    expect(limits(APP)).toEqual([60, 600, 3_000, 10_000, 20]);
    expect(limits({ ...APP, isUserKey: true })).toEqual([60, 10_000, 20]);
    expect(limits({ kind: 'address', address: '192.0.2.1' })).toEqual([60]);
  });

  it('the windows a request counts in are the address, and only that, without a credential', () => {
    const keyOf = (address: string) => windowsOf({ kind: 'address', address }).map(({ key }) => key);
    expect(keyOf('192.0.2.1')).toEqual(['address 192.0.2.1']);
    expect(keyOf('::ffff:192.0.2.1')).toEqual(['address 192.0.2.1']);
    expect(keyOf('2001:db8:1:2:3:4:5:6')).toEqual(keyOf('2001:DB8:1:2::9'));
    expect(keyOf('2001:db8::1')).toEqual(keyOf('2001:db8:0:0:ffff::'));
    expect(keyOf('2001:db8:0:1::1')).not.toEqual(keyOf('2001:db8:0:2::1'));
    expect(keyOf('::1')).toEqual(['address 0:0:0:0']);
  });
});

describe('reservedWindows (rule 9.7f)', () => {
  it('the window of requests that end access is a minute of ten for each person and network', () => {
    expect(reservedWindows('u', '192.0.2.1')).toEqual([
      { key: 'user u ends 192.0.2.1', limit: 10, seconds: 60 },
    ]);
    expect(reservedWindows('u', '2001:db8:1:2::9')).toEqual(reservedWindows('u', '2001:db8:1:2:3:4:5:6'));
    expect(reservedWindows('u', '192.0.2.1')).not.toEqual(reservedWindows('v', '192.0.2.1'));
  });
});

describe('scarcestWindow', () => {
  const windows = windowsOf(APP, { name: 'GET /nodes', perMinute: 120 });

  it('the headers describe the window with the least left, and when it ends', () => {
    expect(scarcestWindow(windows, [10, 10, 10, 10, 10], NOW)).toEqual({
      limit: 60,
      remaining: 50,
      reset: Date.parse('2026-03-02T00:00:00Z') / 1000,
    });
    expect(scarcestWindow(windows, [10, 10, 10, 9_999, 10], NOW)).toMatchObject({
      limit: 10_000,
      remaining: 1,
    });
  });

  it('the headers describe the smaller limit on a tie', () => {
    expect(scarcestWindow(windows, [60, 60, 60, 10_000, 0], NOW)).toMatchObject({ limit: 60, remaining: 0 });
  });
});

describe('retryAfter', () => {
  it('a refused caller waits until the last of the exhausted windows ends', () => {
    const windows = windowsOf(APP);
    const noon = new Date('2026-03-01T12:00:30.250Z');
    expect(retryAfter(windows, [60, 60, 60, 100], noon)).toBe(30);
    expect(retryAfter(windows, [60, 60, 60, 10_000], noon)).toBe(12 * 3600 - 30);
  });
});
