import { describe, expect, it } from '@jest/globals';
import { isDocumentAddress, lifetimeOf } from './client-document.js';

const STRICT = { loopback: false };
const DEVELOPMENT = { loopback: true };

describe('isDocumentAddress (rule 14.3c)', () => {
  it.each([
    'https://claude.ai/oauth/claude-code-client-metadata',
    'https://vscode.dev/oauth/client-metadata.json',
    'https://chatgpt.com/oauth/kDmjx77UnKOM/client.json',
    'https://client.example:8443/a%20b',
  ])('a client_id may be the address %s', (text) => expect(isDocumentAddress(text, STRICT)).toBe(true));

  it.each([
    'https://example.org',
    'https://example.org/',
    'https://example.org/a?b=c',
    'https://example.org/a?',
    'https://example.org/a#b',
    'https://example.org/a#',
    'https://user@example.org/a',
    'https://user:secret@example.org/a',
    'https://example.org/a/../b',
    'https://example.org/a/%2e%2e/b',
    'https://example.org/./a',
    'https://EXAMPLE.org/a',
    'https://example.org:443/a',
    'https://example.org./a',
    'https:example.org/a',
    'https:\\\\example.org\\a',
    ' https://example.org/a',
    'https://bücher.example/a',
    'http://example.org/a',
    'http://127.0.0.1/a',
    'https://127.0.0.1/a',
    'https://10.0.0.1/a',
    'https://[::1]/a',
    'https://0x7f000001/a',
    'https://localhost/a',
    'https://metadata.google.internal/a',
    'urn:example:client',
  ])('no client_id is the address %s', (text) => expect(isDocumentAddress(text, STRICT)).toBe(false));

  it('no client_id is longer than 2,048 characters', () => {
    const address = (letters: number) => `https://example.org/${'a'.repeat(letters)}`;
    expect(isDocumentAddress(address(2_028), STRICT)).toBe(true);
    expect(isDocumentAddress(address(2_029), STRICT)).toBe(false);
  });

  it('a document may be on this machine in development, and over plain http nowhere else', () => {
    expect(isDocumentAddress('http://127.0.0.1:4000/client.json', DEVELOPMENT)).toBe(true);
    expect(isDocumentAddress('http://localhost:4000/client.json', DEVELOPMENT)).toBe(true);
    expect(isDocumentAddress('http://example.org/client.json', DEVELOPMENT)).toBe(false);
    expect(isDocumentAddress('http://10.0.0.1/client.json', DEVELOPMENT)).toBe(false);
  });
});

describe('lifetimeOf (rule 14.3c)', () => {
  const minutes = (headers: Partial<Parameters<typeof lifetimeOf>[0]>) =>
    lifetimeOf({ cacheControl: undefined, age: undefined, expires: undefined, date: undefined, ...headers }) /
    60_000;
  const date = 'Sat, 28 Nov 2026 12:00:00 GMT';

  it.each([
    [5, {}],
    [5, { cacheControl: 'max-age=0' }],
    [5, { cacheControl: 'no-store, max-age=3600' }],
    [5, { cacheControl: 'max-age=nonsense' }],
    [60, { cacheControl: 'public, max-age=3600' }],
    [60, { cacheControl: 'Max-Age="3600"' }],
    [50, { cacheControl: 'max-age=3600', age: '600' }],
    [30, { expires: 'Sat, 28 Nov 2026 12:30:00 GMT', date }],
    [5, { expires: '0', date }],
    [1_440, { cacheControl: 'max-age=9999999999' }],
  ])('it is %d minutes for the headers %j', (expected, headers) => expect(minutes(headers)).toBe(expected));
});
