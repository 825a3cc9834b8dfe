import { codePoints } from '../../kernel/text/code-points.js';
import { isId } from '../../kernel/ids.js';
import { numberBytes } from '../../kernel/json/json-size.js';
import { isObject } from '../../kernel/json/json-values.js';
import { atOnce, isEndOfStep, type Steps } from '../../kernel/slices.js';
import { FORBIDDEN_KEYS, isStorable } from '../../kernel/storable.js';

/**
 * The form of a value in an archive, which the registry writes in short: `uuid`, `text:1000` (characters),
 * `int:1:9`, `real:0:1`, `time`, `bool`, `object:65536` (bytes as `jsonBytes` counts them), `uuids`, `texts`,
 * `tags` (ids of a node's tags), `vector`, `sha256`, `enum:a|b`. A question mark after the word allows null; so
 * does an empty alternative of an enum.
 */
type Fits = (value: unknown) => boolean;

const MAX_ITEMS = 100_000;
/** More ids than fit into the index in which lists look at a node's tags. */
const MAX_TAGS = 500;
const MAX_DEPTH = 64;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?\+00:00$/;

const cache = new Map<string, Fits>();

export function fits(kind: string, value: unknown): boolean {
  let test = cache.get(kind);
  if (test === undefined) cache.set(kind, (test = testOf(kind)));
  return test(value);
}

/** The bytes of an object that fits, 0 for other values that fit, null for a value that does not. */
export function* fittingBytes(kind: string, value: unknown): Steps<number | null> {
  const most = /^object\??:(\d+)$/.exec(kind)?.[1];
  if (most === undefined || !isObject(value)) return fits(kind, value) ? 0 : null;
  const bytes = yield* storedBytes(value);
  return bytes <= Number(most) ? bytes : null;
}

function testOf(kind: string): Fits {
  const [, word = '', question, rest = ''] = /^([a-z0-9]+)(\?)?(?::(.*))?$/.exec(kind) ?? [];
  const test = wordTest(word, rest);
  const isOptional = question !== undefined || (word === 'enum' && rest.split('|').includes(''));
  return (value) => (value === null ? isOptional : test(value));
}

function wordTest(word: string, rest: string): Fits {
  switch (word) {
    case 'uuid':
      return isId;
    case 'uuids':
      return (value) => isList(value) && value.every(isId);
    case 'tags':
      return (value) =>
        isList(value) &&
        value.length <= MAX_TAGS &&
        value.every(isId) &&
        new Set(value.map((id) => id.toLowerCase())).size === value.length;
    case 'texts':
      return (value) => isList(value) && value.every((item) => isText(item, 262_144));
    case 'text':
      return (value) => isText(value, rest === '' ? Infinity : Number(rest));
    case 'sha256':
      return (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
    case 'time':
      return (value) => typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value));
    case 'bool':
      return (value) => typeof value === 'boolean';
    case 'int':
    case 'real':
      return between(word, rest.split(':').map(Number));
    case 'object':
      return (value) => isObject(value) && atOnce(storedBytes(value)) <= Number(rest);
    case 'vector':
      return isVector;
    case 'enum':
      return (value) => typeof value === 'string' && value !== '' && rest.split('|').includes(value);
    default:
      throw new Error(`no kind of column: ${word}`);
  }
}

const isList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length <= MAX_ITEMS;

function isText(value: unknown, max: number): value is string {
  if (typeof value !== 'string' || !isStorable(value)) return false;
  return value.length <= max || codePoints(value) <= max;
}

function between(word: 'int' | 'real', [min = -Infinity, max = Infinity]: number[]): Fits {
  return (value) =>
    typeof value === 'number' &&
    value >= min &&
    value <= max &&
    (word === 'real' ? Number.isFinite(value) : Number.isSafeInteger(value));
}

/** True for the database's form: `[0.6,0.8]`. */
function isVector(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 200_000 || !/^\[[-+0-9eE.,]+\]$/.test(value)) return false;
  return value
    .slice(1, -1)
    .split(',')
    .every((number) => number !== '' && Number.isFinite(Number(number)));
}

export const dimensionsOf = (vector: string): number => vector.split(',').length;

/** The sum of the squares: 1 for a vector of length 1. */
export const squaresOf = (vector: string): number =>
  vector
    .slice(1, -1)
    .split(',')
    .reduce((sum, number) => sum + Number(number) ** 2, 0);

/**
 * The bytes of a value as `jsonBytes` counts them; infinite if it cannot be stored: for its depth, a key or a text. One
 * pass without recursion, which others can interrupt.
 */
export function* storedBytes(whole: unknown): Steps<number> {
  let bytes = 0;
  let count = 0;
  const left: unknown[] = [whole];
  const levels: number[] = [MAX_DEPTH];
  while (left.length > 0) {
    if (isEndOfStep(count++)) yield undefined;
    const value = left.pop();
    const level = levels.pop() as number;
    if (typeof value !== 'object' || value === null) bytes += leafBytes(value);
    else if (level === 0) return Infinity;
    else {
      const keys = Array.isArray(value) ? null : Object.keys(value);
      // Brackets, and a comma between each two.
      bytes += 2 + Math.max(0, (keys ?? (value as unknown[])).length - 1);
      for (const key of keys ?? []) {
        if (isEndOfStep(count++)) yield undefined;
        if (FORBIDDEN_KEYS.has(key)) return Infinity;
        bytes += leafBytes(key) + 1;
      }
      for (const inner of keys === null ? (value as unknown[]) : Object.values(value)) {
        left.push(inner);
        levels.push(level - 1);
      }
    }
    if (bytes === Infinity) return bytes;
  }
  return bytes;
}

function leafBytes(value: unknown): number {
  if (typeof value === 'string')
    return isStorable(value) ? Buffer.byteLength(JSON.stringify(value)) : Infinity;
  if (typeof value === 'number') return Number.isFinite(value) ? numberBytes(value) : Infinity;
  return String(value).length;
}
