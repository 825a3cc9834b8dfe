import { jest } from '@jest/globals';
import { BODY_BOUNDS, parseJson, parseLongJson, RefusedJson, ROW_BOUNDS } from './json-text.js';

const SMALL = { levels: 3, values: 5, names: 2, plainBytes: 60 };

describe('parseJson', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each([
    '{"a":[1,{"b":null}],"c":"\\u0041\\"[["}',
    ' [ ] ',
    '"[[[[[[,,,,,,::::"',
    '"\\\\"',
    '[[],[],{ },[]]',
    '[[[1]],2]',
    '-1.5e3',
    '[1e30,"1e99",true,false]',
    '{"1e99":1e0000000001}',
    'true',
  ])('returns the value of %s', (text) => {
    expect(parseJson(text, { levels: 3, values: 6, names: 3, plainBytes: 60 })).toEqual(JSON.parse(text));
  });

  it.each(['', ' ', '{', '[1,]', '{"a":NaN}', '"', '"\\', ']]', '{"a" 1}', "['a']"])(
    'refuses %j as unreadable',
    (text) => {
      const refused = refusalOf(text);
      expect([refused.message, refused.isReadable]).toEqual(['is not readable JSON', false]);
    },
  );

  it.each([
    ['more levels', '[[[[]]]]', 'must have at most 3 levels'],
    ['more levels of objects', '{"a":{"b":[[]]}}', 'must have at most 3 levels'],
    ['more levels behind a text with a quotation mark', '["\\"",[[[', 'must have at most 3 levels'],
    ['more levels behind a text of backslashes', '["\\\\",[[[', 'must have at most 3 levels'],
    ['more values', '[1,2,3,4,5]', 'must have at most 5 values'],
    ['more values in containers', '[[1],[2],[3]]', 'must have at most 5 values'],
    ['more empty containers', '[{},{ },[\n],{},[]]', 'must have at most 5 values'],
    [
      'more bytes without an exponent',
      '[1e50,1E+7]',
      'must have at most 60 bytes with its numbers written without exponents',
    ],
    [
      'more bytes without a small exponent',
      '[1.5e-0055]',
      'must have at most 60 bytes with its numbers written without exponents',
    ],
    ['more names', '{"a":1,"b":2,"c":3}', 'must have at most 2 names'],
  ])('refuses a text of %s than its bounds, and never parses it', (_, text, message) => {
    const parse = jest.spyOn(JSON, 'parse');
    const refused = refusalOf(text);
    expect([refused.message, refused.isReadable]).toEqual([message, true]);
    expect(parse).not.toHaveBeenCalled();
  });

  it.each([
    ['levels', (most: number) => '['.repeat(most) + ']'.repeat(most)],
    ['values', (most: number) => `[${'0,'.repeat(most - 2)}0]`],
    ['names', (most: number) => `{${'"a":0,'.repeat(most - 1)}"a":0}`],
  ] as const)('takes exactly as many %s as its bounds say', (counted, text) => {
    for (const bounds of [BODY_BOUNDS, ROW_BOUNDS]) {
      const most = bounds[counted];
      expect(() => parseJson(text(most), bounds)).not.toThrow();
      expect(() => parseJson(text(most + 1), bounds)).toThrow(`must have at most ${most} ${counted}`);
    }
  });

  function refusalOf(text: string): RefusedJson {
    try {
      parseJson(text, SMALL);
    } catch (error) {
      if (error instanceof RefusedJson) return error;
    }
    throw new Error('the text is not refused');
  }
});

describe('parseLongJson', () => {
  afterEach(() => jest.restoreAllMocks());

  const PIECE = 65_536;
  const blanks = ' '.repeat(PIECE);
  const words = `[${'"ab",'.repeat(PIECE)}0]`;
  const members = `{${Array.from({ length: PIECE }, (_, n) => `"k${n}":{}`).join()}}`;
  const LONG = [
    words,
    members,
    `{"a":${words},"b":{"c":${members}},"__proto__":${words},"d":1}`,
    `{"__proto__":1,"a":${words},"a":2,"1":3}`,
    `[${words} , 1,2,${members},${words}]`,
    `[[[${words}]]]`,
    `[${blanks}]`,
    `{${blanks}}`,
    `${blanks}{ "a" : ${words} , "b" : "]," }${blanks}`,
    `["${'],['.repeat(PIECE)}"]`,
  ];

  it('returns what the parser returns for long texts, in pieces', async () => {
    const parse = jest.spyOn(JSON, 'parse');
    for (const text of LONG) {
      parse.mockClear();
      const value = await parseLongJson(text);
      const lengths = parse.mock.calls.map(([piece]) => piece.length);
      expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
      if (text.includes('"ab"') || text.includes('"k9"'))
        expect(Math.max(...lengths)).toBeLessThan(3 * PIECE);
    }
  });

  it('refuses an object with more names than a body may have, in a row that may have more', async () => {
    const object = (names: number) => `{${Array.from({ length: names }, (_, n) => `"k${n}":0`).join()}}`;
    await expect(parseLongJson(object(100_000), ROW_BOUNDS)).resolves.toBeDefined();
    await expect(parseLongJson(`[${object(90_000)},${object(90_000)}]`, ROW_BOUNDS)).resolves.toBeDefined();
    await expect(parseLongJson(object(100_001), ROW_BOUNDS)).rejects.toThrow('at most 100000 names');
  });

  it.each([
    `[${words},]`,
    `[,${words}]`,
    `[${words},,${words}]`,
    `[${words} ${words}]`,
    `[${words}}`,
    `{"a":${words}]`,
    `{"a" ${words}}`,
    `{a:${words}}`,
    `{"a":${words},}`,
    `{"a":${words},"b"}`,
    `[${words}]1`,
    `1[${words}]`,
    `\u00a0[${words}]`,
    `[${words}`,
    `${words}]`,
    `[1,${blanks}]`,
    `[${blanks},1]`,
    `{"a":1,${blanks}}`,
    `[{"a":${words}],1]}`,
  ])('refuses a long text that is not JSON (%#)', async (text) => {
    expect(() => JSON.parse(text) as unknown).toThrow();
    await expect(parseLongJson(text)).rejects.toThrow('is not readable JSON');
  });

  it('lets others have a turn before and after the parser, and returns what it returns', async () => {
    let time = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => (time += 10));
    let turns = 0;
    const turnsAtParsing: number[] = [];
    const parse = JSON.parse;
    jest.spyOn(JSON, 'parse').mockImplementation((text) => {
      turnsAtParsing.push(turns);
      return parse(text) as unknown;
    });
    let beside = setImmediate(function count() {
      turns += 1;
      beside = setImmediate(count);
    });
    try {
      expect(await parseLongJson('{"a":[1]}')).toEqual({ a: [1] });
      expect(turnsAtParsing[0]).toBeGreaterThan(0);
      expect(turns).toBeGreaterThan(turnsAtParsing[0] as number);
      await expect(parseLongJson('{"a":')).rejects.toThrow('is not readable JSON');
    } finally {
      clearImmediate(beside);
    }
  });
});
