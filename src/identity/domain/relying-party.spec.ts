import { relyingPartyOf } from './relying-party.js';

describe('relyingPartyOf', () => {
  it.each([
    ['https://graph.example', 'graph.example', 'https://graph.example'],
    ['https://graph.example:8443/below/it', 'graph.example', 'https://graph.example:8443'],
    ['https://GRAPH.example:443', 'graph.example', 'https://graph.example'],
    ['https://bücher.example', 'xn--bcher-kva.example', 'https://xn--bcher-kva.example'],
    ['http://localhost:3000', 'localhost', 'http://localhost:3000'],
    ['http://graph.localhost', 'graph.localhost', 'http://graph.localhost'],
  ])(
    'the relying party of a public address of %s is its host, and its origin has no path',
    (url, id, origin) => {
      expect(relyingPartyOf(url)).toEqual({ id, origin });
    },
  );

  it.each([
    'http://127.0.0.1:3000',
    'https://203.0.113.7',
    'https://[2001:db8::1]',
    'http://[::1]:3000',
    'http://graph.example',
    'http://notlocalhost',
  ])('the relying party of a public address does not exist for %s: browsers would make no passkey', (url) => {
    expect(relyingPartyOf(url)).toBeNull();
  });
});
