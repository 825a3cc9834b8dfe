import { describe, expect, it } from '@jest/globals';
import { checksumOf, hashOfSecret, isKeyText, marksOf, newKeyText } from './key-text.js';

/**
 * CRC-32 as ISO 3309 defines it, bit by bit, and base62 with big integers: written independently of the code
 * under test.
 */
function slowChecksum(text: string): string {
  let crc = 0xffffffffn;
  for (const byte of Buffer.from(text, 'latin1')) {
    crc ^= BigInt(byte);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1n ? (crc >> 1n) ^ 0xedb88320n : crc >> 1n;
  }
  let rest = crc ^ 0xffffffffn;
  const digits: string[] = [];
  for (let i = 0; i < 6; i++) {
    const digit = Number(rest % 62n);
    rest /= 62n;
    digits.unshift(String.fromCharCode(digit < 10 ? 48 + digit : digit < 36 ? 55 + digit : 61 + digit));
  }
  return digits.join('');
}

describe('newKeyText and isKeyText (rule 1.6)', () => {
  it('a key has a word for its kind, 30 random characters and 6 of checksum', () => {
    expect(newKeyText('app')).toMatch(/^pig_live_[0-9A-Za-z]{36}$/);
    expect(newKeyText('user')).toMatch(/^pig_user_[0-9A-Za-z]{36}$/);
  });

  it('the checksum follows the check value of CRC-32: "123456789" is 0xCBF43926', () => {
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const number = [...checksumOf('123456789')].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
    expect(number).toBe(0xcbf43926);
  });

  it('the checksum agrees with one computed the slow way, padded to six digits', () => {
    for (let i = 0; i < 2000; i++) {
      const key = newKeyText(i % 2 ? 'app' : 'user');
      expect(key.slice(-6)).toBe(slowChecksum(key.slice(9, 39)));
    }
  });

  it('a made key is accepted and every single changed character refused', () => {
    const key = newKeyText('app');
    expect(isKeyText(key)).toBe(true);
    for (let i = 9; i < key.length; i++) {
      const changed = key.slice(0, i) + (key[i] === 'a' ? 'b' : 'a') + key.slice(i + 1);
      expect(isKeyText(changed)).toBe(false);
    }
  });

  it.each(['', 'pig_', 'live_', 'pig_test_', 'PIG_LIVE_', ' pig_live_', 'pig_live_x'])(
    'a key with %j before a good rest is refused',
    (start) => {
      expect(isKeyText(start + newKeyText('app').slice(9))).toBe(false);
    },
  );

  it('a line break behind a good key is refused', () => {
    expect(isKeyText(`${newKeyText('app')}\n`)).toBe(false);
  });

  it('all digits are drawn about equally often', () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 2000; i++) {
      for (const digit of newKeyText('app').slice(9, 39)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
    }
    expect(counts.size).toBe(62);
    // 60,000 draws, 968 expected for each digit; 6 standard deviations are about 185.
    for (const count of counts.values()) expect(Math.abs(count - 60_000 / 62)).toBeLessThan(190);
  });

  it('a key is recognized by its first and last four characters and stored as SHA-256', () => {
    expect(marksOf('pig_live_AbCd5678901234567890123456789zYxWvU')).toEqual({
      prefix: 'pig_live_AbCd',
      lastFour: 'xWvU',
    });
    expect(hashOfSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
