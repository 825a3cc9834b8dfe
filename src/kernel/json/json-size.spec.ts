import { jsonBytes, numberBytes } from './json-size.js';

describe('jsonBytes', () => {
  it.each([
    [0, 1],
    [-0, 1],
    [1e20, 21],
    [1.5e21, 22],
    [-1.5e21, 23],
    [1e300, 301],
    [-1.7976931348623157e308, 310],
    [0.000001, 8],
    [1e-7, 9],
    [-1.25e-7, 12],
    [5e-324, 326],
    [2.2250738585072014e-308, 326],
  ])('counts %p as its %i characters without an exponent', (number, characters) => {
    expect(jsonBytes(number)).toBe(characters);
    expect(numberBytes(number)).toBe(characters);
  });

  it.each([
    ['{"a":[1,-2.5,1e20,0.000001],"1e300":"1e300"}', 0],
    ['{"a":[1e300,{"b":1e-7}],"é":null,"c":true}', 301 - 6 + 9 - 4],
  ])('counts all else of %s as JavaScript writes it', (text, lost) => {
    const value: unknown = JSON.parse(text);
    expect(jsonBytes(value)).toBe(Buffer.byteLength(JSON.stringify(value)) + lost);
  });
});
