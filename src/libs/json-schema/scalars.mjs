// @ts-check
import { isObject } from './document.mjs';
import { hasFormat } from './patterns.mjs';

/** @typedef {import('./document.mjs').SchemaObject} SchemaObject */
/** @typedef {import('./evaluation.mjs').Place} Place */

/** Keywords about any value. @param {SchemaObject} schema @param {unknown} value @param {Place} place */
export function values(schema, value, { evaluation, at }) {
  let fits = true;
  const { type } = schema;
  if (type !== undefined) {
    const types = Array.isArray(type) ? type : [type];
    if (!types.some((each) => isOfType(value, each)))
      fits = evaluation.fail(at, `must be ${types.join(' or ')}`);
  }
  if (Array.isArray(schema['enum']) && !evaluation.isAmong(schema['enum'], value)) {
    fits = evaluation.fail(at, 'must be one of the allowed values');
  }
  if ('const' in schema && !evaluation.isAmong([schema['const']], value))
    fits = evaluation.fail(at, 'must be the one allowed value');
  return fits;
}

/** @param {SchemaObject} schema @param {string} value @param {Place} place */
export function texts(schema, value, { evaluation, at }) {
  let fits = true;
  const { minLength, maxLength, pattern, format } = schema;
  if (minLength !== undefined || maxLength !== undefined) {
    evaluation.spend(value.length >> 6);
    const length = lengthOf(value);
    if (length < minLength) fits = evaluation.fail(at, `must have at least ${minLength} characters`);
    if (length > maxLength) fits = evaluation.fail(at, `must have at most ${maxLength} characters`);
  }
  if (typeof pattern === 'string' && !evaluation.matches(pattern, value))
    fits = evaluation.fail(at, 'must match the pattern');
  if (evaluation.document.assertsFormats && typeof format === 'string' && !hasFormat(format, value)) {
    fits = evaluation.fail(at, `must be of format ${format}`);
  }
  return fits;
}

/** @param {SchemaObject} schema @param {number} value @param {Place} place */
export function numbers(schema, value, { evaluation, at }) {
  let fits = true;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (value < minimum) fits = evaluation.fail(at, `must be at least ${minimum}`);
  if (value > maximum) fits = evaluation.fail(at, `must be at most ${maximum}`);
  if (value <= exclusiveMinimum) fits = evaluation.fail(at, `must be more than ${exclusiveMinimum}`);
  if (value >= exclusiveMaximum) fits = evaluation.fail(at, `must be less than ${exclusiveMaximum}`);
  if (multipleOf !== undefined && !isMultiple(value, multipleOf))
    fits = evaluation.fail(at, `must be a multiple of ${multipleOf}`);
  return fits;
}

/** @param {unknown} value @param {string} type */
function isOfType(value, type) {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

/** The number of characters, not UTF-16 units. @param {string} text */
function lengthOf(text) {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** Computes in decimals, as the numbers are written: 0.0075 is a multiple of 0.0001. @param {number} value @param {number} divisor */
function isMultiple(value, divisor) {
  if (!(divisor > 0)) return true;
  const [a, b] = [decimal(value), decimal(divisor)];
  const exponent = Math.min(a.exponent, b.exponent);
  const scaled = (/** @type {typeof a} */ { digits, exponent: own }) =>
    digits * 10n ** BigInt(own - exponent);
  return scaled(a) % scaled(b) === 0n;
}

/** @param {number} value @returns {{ digits: bigint, exponent: number }} */
function decimal(value) {
  const [mantissa = '0', power = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}
