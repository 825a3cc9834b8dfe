import { isRefusedForGood, nextAttempt } from './letter-retries.js';

const now = new Date('2026-01-01T00:00:00Z');
const inHours = (hours: number): Date => new Date(now.getTime() + hours * 3_600_000);

describe('nextAttempt and isRefusedForGood', () => {
  it('a letter that could not be sent is tried again after a minute, then later each time', () => {
    const waits = [1, 2, 3, 4, 5, 6].map((attempts) => {
      const next = nextAttempt(attempts, now, inHours(100)) as Date;
      return (next.getTime() - now.getTime()) / 1000;
    });
    expect(waits[0]).toBe(60);
    expect([...waits].sort((a, b) => a - b)).toEqual(waits);
    expect(new Set(waits).size).toBe(waits.length);
  });

  it('a letter that could not be sent is given up after seven attempts', () => {
    expect(nextAttempt(7, now, inHours(100))).toBeNull();
  });

  it('a letter that could not be sent is given up when nobody would need it any more', () => {
    expect(nextAttempt(4, now, inHours(1))).toBeNull();
    expect(nextAttempt(3, now, inHours(1))).not.toBeNull();
  });

  it('a letter that could not be sent is refused for good only by what the server says of the recipient or the content', () => {
    expect(isRefusedForGood({ responseCode: 550, command: 'RCPT TO' })).toBe(true);
    expect(isRefusedForGood({ responseCode: 554, command: 'DATA' })).toBe(true);
    expect(isRefusedForGood({ responseCode: 450, command: 'RCPT TO' })).toBe(false);
    expect(isRefusedForGood({ responseCode: 535, command: 'AUTH PLAIN' })).toBe(false);
    expect(isRefusedForGood({ responseCode: 553, command: 'MAIL FROM' })).toBe(false);
    expect(isRefusedForGood({ command: 'CONN' })).toBe(false);
  });
});
