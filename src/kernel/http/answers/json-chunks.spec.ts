import { hasList, JsonChunks } from './json-chunks.js';

/** An item whose serialization takes a millisecond. */
const slow = (number: number) => ({
  number,
  toJSON(): object {
    const end = performance.now() + 1;
    while (performance.now() < end);
    return { number, text: 'x'.repeat(20_000) };
  },
});

async function whole(body: object): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of new JsonChunks(body).remaining()) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe('hasList', () => {
  it.each<[string, object]>([
    [
      'a list and its numbers',
      { nodes: [{ id: 1, title: 'a' }, { id: 2 }], total: 2, next: undefined, at: null },
    ],
    ['two lists', { outgoing: [{ a: [1, { b: 2 }] }, [3]], incoming: [{}, {}], 'a "key"': 'ö\u2028' }],
    [
      'a list with what JSON has no words for',
      { list: [{ f: () => 1 }, undefined, () => 1, Symbol('s'), NaN] },
    ],
    ['a list alone', [{ a: 1 }, { a: 2 }]],
    ['nothing', {}],
    ['an empty list', { nodes: [] }],
    ['a list alone with nothing', []],
    ['times', { times: [new Date(0), new Date(1)], at: new Date(2) }],
    ['what knows its JSON', new Date(0)],
    ['more than one chunk', { nodes: Array.from({ length: 500 }, (_, i) => ({ i, text: 'ä'.repeat(i) })) }],
  ])('the JSON of a body in chunks is what JSON.stringify makes of %s', async (_, body) => {
    expect(await whole(body)).toBe(JSON.stringify(body));
  });

  it('the JSON of a body in chunks lets others have their turn between the items of a list', async () => {
    let turns = 0;
    const beside = setInterval(() => void (turns += 1), 0);
    try {
      await whole({ nodes: Array.from({ length: 60 }, (_, i) => slow(i)) });
    } finally {
      clearInterval(beside);
    }
    expect(turns).toBeGreaterThan(3);
  });

  it.each<[object, boolean]>([
    [{ nodes: [{}, {}] }, true],
    [[{}, {}], true],
    [{ nodes: [{}] }, false],
    [{ tags: ['a', 'b'], metadata: { list: [{}, {}] } }, false],
  ])(
    'the JSON of a body in chunks is made in chunks where it has a list of several things: %j is %s',
    (body, expected) => {
      expect(hasList(body)).toBe(expected);
    },
  );
});
