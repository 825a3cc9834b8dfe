import { codePoints } from '../../kernel/code-points.js';
import { isId } from '../../kernel/ids.js';
import { jsonBytes } from '../../kernel/json-size.js';
import { isObject } from '../../kernel/json-values.js';
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
      return (value) =>
        isObject(value) && isStorableJson(value, MAX_DEPTH) && jsonBytes(value) <= Number(rest);
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

/** True for JSON of at most this depth. */
function isStorableJson(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isText(value, Infinity);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  // Pairs of index and value would cost ten times the check.
  if (Array.isArray(value)) return value.every((item) => isStorableJson(item, depth - 1));
  return Object.entries(value).every(
    ([key, inner]) => isText(key, Infinity) && !FORBIDDEN_KEYS.has(key) && isStorableJson(inner, depth - 1),
  );
}
