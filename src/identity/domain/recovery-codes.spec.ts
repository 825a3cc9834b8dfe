import { newRecoveryCodes, recoveryCodeKey } from './recovery-codes.js';

describe('newRecoveryCodes', () => {
  it('recovery codes are ten different ones of two groups of five, without letters that look like digits', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
    expect(newRecoveryCodes()).not.toEqual(codes);
  });

  it('recovery codes are the same however they are typed', () => {
    for (const typed of ['7K3QX-0M1TD', '7k3qx0m1td', ' 7K3QX OMITD ', '7k3qx-omltd'])
      expect(recoveryCodeKey(typed)).toBe('7K3QX0M1TD');
  });
});
