import { challengeIn, isCounterBack, userHandleOf } from './passkey.js';

const clientData = (data: unknown): string => Buffer.from(JSON.stringify(data)).toString('base64url');

describe('the counter of a passkey', () => {
  it.each([
    [0, 0, false],
    [0, 1, false],
    [7, 8, false],
    [7, 4_294_967_295, false],
    [7, 7, true],
    [7, 6, true],
    [7, 0, true],
  ])('known as %d and sent as %d: going back is %s', (known, sent, expected) => {
    expect(isCounterBack(known, sent)).toBe(expected);
  });
});

describe('challengeIn', () => {
  it('the challenge in client data is the one that the browser names', () => {
    expect(challengeIn(clientData({ challenge: 'abc', crossOrigin: false }))).toBe('abc');
  });

  it.each([
    ['no JSON', Buffer.from('{').toString('base64url')],
    ['no text at all', ''],
    ['null', clientData(null)],
    ['a number', clientData({ challenge: 7 })],
    ['no challenge', clientData({})],
    ['a page inside a page of somebody else', clientData({ challenge: 'abc', crossOrigin: true })],
  ])('the challenge in client data is absent for %s', (_, text) => {
    expect(challengeIn(text)).toBeNull();
  });
});

it('a user handle is the sixteen bytes of the id', () => {
  const handle = userHandleOf('9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94');
  expect(Buffer.from(handle, 'base64url').toString('hex')).toBe('9b2f6c1e3a474d088c5d1f0e7a6b2d94');
});
