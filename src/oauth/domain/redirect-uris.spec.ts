import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type App } from '../../identity/index.js';
import { clientOf } from './client.js';
import { isRegistered } from './redirect-uris.js';

/** The parts of a redirect URI, from which both it and the expected verdict are made. */
interface Parts {
  scheme: string;
  host: string;
  port: string;
  rest: string;
}

const textOf = ({ scheme, host, port, rest }: Parts): string => `${scheme}://${host}${port}${rest}`;

/** The rule in other words: nothing but the port may differ, and only for a plain address of this machine. */
const mayDiffer = (one: Parts, other: Parts): boolean =>
  one.scheme === 'http' &&
  ['localhost', '127.0.0.1', '[::1]'].includes(one.host) &&
  textOf({ ...one, port: '' }) === textOf({ ...other, port: '' });

const HOSTS = [
  'localhost',
  '127.0.0.1',
  '[::1]',
  'LOCALHOST',
  '127.1',
  '127.0.0.2',
  '2130706433',
  '[0:0:0:0:0:0:0:1]',
  'localhost.',
  'localhost.example.org',
  'example.org',
  'user@localhost',
];
const RESTS = [
  '',
  '/',
  '/callback',
  '/callback/',
  '/CALLBACK',
  '/a/../callback',
  '/%63allback',
  '?a=b',
  '/callback?a=b',
];

const ports = fc.oneof(
  fc.constantFrom('', ':80', ':8080', ':65535', ':080'),
  fc.integer({ min: 1, max: 65_535 }).map((port) => `:${port}`),
);
const parts: fc.Arbitrary<Parts> = fc.record({
  scheme: fc.constantFrom('http', 'https', 'cursor', 'HTTP'),
  host: fc.constantFrom(...HOSTS),
  port: ports,
  rest: fc.oneof(
    fc.constantFrom(...RESTS),
    fc.webPath(),
    fc.webPath().map((path) => `/callback${path}`),
  ),
});
/** Pairs that differ little: random ones would hardly ever be alike. */
const pairs = parts.chain((one) =>
  fc.tuple(
    fc.constant(one),
    fc.record({
      scheme: fc.oneof(fc.constant(one.scheme), fc.constantFrom('http', 'https')),
      host: fc.oneof({ weight: 3, arbitrary: fc.constant(one.host) }, fc.constantFrom(...HOSTS)),
      port: ports,
      rest: fc.oneof({ weight: 3, arbitrary: fc.constant(one.rest) }, fc.constantFrom(...RESTS)),
    }),
  ),
);

describe('isRegistered (rule 14.3b)', () => {
  it('an address equals a registered one in each character, but for the port on this machine', () => {
    let accepted = 0;
    fc.assert(
      fc.property(pairs, ([known, sent]) => {
        const expected = textOf(known) === textOf(sent) || mayDiffer(known, sent);
        if (expected && textOf(known) !== textOf(sent)) accepted += 1;
        expect(isRegistered([textOf(known)], textOf(sent))).toBe(expected);
      }),
      { numRuns: 5_000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  it('an address of several registered ones is enough, and of none is not', () => {
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 5 }), parts, (known, sent) => {
        const texts = known.map(textOf);
        const expected = known.some((one) => textOf(one) === textOf(sent) || mayDiffer(one, sent));
        expect(isRegistered(texts, textOf(sent))).toBe(expected);
      }),
    );
  });

  it('no text that only begins or ends like a registered address is accepted', () => {
    fc.assert(
      fc.property(parts, fc.string({ minLength: 1, maxLength: 5 }), ({ scheme, host, rest }, more) => {
        const known = textOf({ scheme, host, port: ':1', rest: `${rest || '/'}x` });
        expect([isRegistered([known], known + more), isRegistered([known], more + known)]).toEqual([
          false,
          false,
        ]);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['http://localhost/callback', 'http://localhost:51234/callback', true],
    ['http://127.0.0.1:33418/', 'http://127.0.0.1:60000/', true],
    ['http://[::1]/callback', 'http://[::1]:51234/callback', true],
    ['http://localhost/callback', 'http://127.0.0.1/callback', false],
    ['http://localhost/callback', 'http://localhost:1@evil.example/callback', false],
    ['http://localhost/callback', 'http://localhost:99999/callback', false],
    ['https://localhost/callback', 'https://localhost:51234/callback', false],
    ['https://claude.ai/api/mcp/auth_callback', 'https://claude.ai:8443/api/mcp/auth_callback', false],
    ['cursor://anysphere.cursor-mcp/oauth/callback', 'cursor://anysphere.cursor-mcp:1/oauth/callback', false],
  ])('a client with %s sends %s: %s', (known, sent, expected) =>
    expect(isRegistered([known], sent)).toBe(expected),
  );
});

describe('clientOf (rule 14.3b)', () => {
  it('addresses with http to other machines, from before they were refused, count as not registered', () => {
    const kept = [
      'https://a.example/',
      'app:/x',
      'http://localhost/',
      'http://127.0.0.1:1/',
      'http://[::1]/',
    ];
    const redirectUris = [...kept, 'http://a.example/', 'http://192.168.0.1/', 'http://127.0.0.2/'];
    expect(clientOf({ redirectUris, documentUrl: null } as unknown as App).redirectUris).toEqual(kept);
  });
});
