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
