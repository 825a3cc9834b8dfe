import { foldedAddress, hasDomain, keysOfAddress, sendableAddress } from './address.js';

describe('foldedAddress and keysOfAddress', () => {
  it.each([
    ['Ada@Example.org', 'ada@example.org'],
    ['ada@b\u00fccher.example', 'ada@xn--bcher-kva.example'],
    ['ada@bu\u0308cher.example', 'ada@xn--bcher-kva.example'],
    ['ada@B\u00dcCHER\u3002example', 'ada@xn--bcher-kva.example'],
    ['ada@XN--BCHER-KVA.example', 'ada@xn--bcher-kva.example'],
    ['\uff41da@\uff45xample.org', 'ada@example.org'],
    ['ada@exa\u00admple.org', 'ada@example.org'],
    ['z\u00f6e@example.org', 'z\u00f6e@example.org'],
    ['zoe\u0301@example.org', 'zo\u00e9@example.org'],
    ['"Ada"@example.org', 'ada@example.org'],
    ['"a\\da"@example.org', 'ada@example.org'],
    ['"ada b"@example.org', 'ada b@example.org'],
  ])('an e-mail address such as %j is compared as %s', (address, folded) => {
    expect(foldedAddress(address)).toBe(folded);
    expect(foldedAddress(folded)).toBe(folded);
  });

  it('an e-mail address that has no domain is compared by its letters', () => {
    expect(foldedAddress('Nobody')).toBe('nobody');
    expect(hasDomain('a@example.org')).toBe(true);
    for (const none of [
      'a@b c',
      '@example.org',
      'a@b%2eorg',
      'a@b/c.org',
      'a@b\uff0fc.org',
      'a@b#c.org',
      'a@[::1]',
    ]) {
      expect([none, hasDomain(none), foldedAddress(none)]).toEqual([none, false, none]);
    }
  });

  it('an e-mail address is looked for under its own spelling, then folded, then readable', () => {
    expect(keysOfAddress('Ada@example.org')).toEqual(['ada@example.org']);
    expect(keysOfAddress('Ada@b\u00fccher.example')).toEqual([
      'ada@b\u00fccher.example',
      'ada@xn--bcher-kva.example',
    ]);
    expect(keysOfAddress('Ada@xn--bcher-kva.example')).toEqual([
      'ada@xn--bcher-kva.example',
      'ada@b\u00fccher.example',
    ]);
  });

  it('an e-mail address is sent to with its domain in ASCII and its mailbox as written', () => {
    expect(sendableAddress('Ada@B\u00fccher\u3002example')).toBe('Ada@xn--bcher-kva.example');
  });
});
