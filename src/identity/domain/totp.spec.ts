import { acceptedStep, newTotpSecret, otpauthUrl } from './totp.js';

/** "12345678901234567890", the secret of RFC 6238's test vectors. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = (seconds: number): Date => new Date(seconds * 1000);
const stepOf = (code: string, seconds: number, lastStep: number | null = null) =>
  acceptedStep({ secret: SECRET, lastStep }, code, at(seconds));

describe('TOTP', () => {
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('time-based one-time codes at %d seconds accept the code of RFC 6238, appendix B', (seconds, code) => {
    expect(stepOf(code, seconds)).toBe(Math.floor(seconds / 30));
  });

  it('time-based one-time codes accept the step before and the step after, and no other', () => {
    const accepted = [-2, -1, 0, 1, 2].filter((steps) => stepOf('279037', 2000000000 + 30 * steps) !== null);
    expect(accepted).toEqual([-1, 0, 1]);
    expect(stepOf('279037', 2000000030)).toBe(66666666);
  });

  it('time-based one-time codes refuse a step that was accepted before, and every earlier one', () => {
    expect(stepOf('279037', 2000000000, 66666666)).toBeNull();
    expect(stepOf('279037', 2000000000, 66666667)).toBeNull();
    expect(stepOf('279037', 2000000000, 66666665)).toBe(66666666);
  });

  it('time-based one-time codes refuse a wrong code and one of another length', () => {
    for (const code of ['279038', '27903', '0279037', '', 'abcdef'])
      expect(stepOf(code, 2000000000)).toBeNull();
  });

  it('time-based one-time codes have a secret of 160 random bits, which the address for the QR code names with the account', () => {
    const secret = newTotpSecret();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(newTotpSecret()).not.toBe(secret);
    const url = new URL(otpauthUrl(secret, 'alice@example.org'));
    expect(url.href.startsWith('otpauth://totp/Personal%20Identity%20Graph:alice%40example.org?')).toBe(true);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      issuer: 'Personal Identity Graph',
      secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});
