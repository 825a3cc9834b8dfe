/**
 * The bytes of a value's JSON text as `jsonb` prints its numbers: without exponents, so that `1e300` has 301 digits.
 * Limits count these, because every read, version and export of the value is written so.
 */
export const jsonBytes = (value: unknown): number =>
  Buffer.byteLength(JSON.stringify(value)) + lostToExponents(value);

/** The number of objects and arrays in a value, itself included: each takes many times its two characters as a value. */
export function containersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 1;
  if (Array.isArray(value)) {
    for (const item of value) count += containersIn(item);
    return count;
  }
  for (const key in value) count += containersIn((value as Readonly<Record<string, unknown>>)[key]);
  return count;
}

/** The bytes of a finite number without an exponent. */
export const numberBytes = (number: number): number => String(number).length + lostToExponents(number);

/** The bytes that exponents save in the JSON text of a value. */
function lostToExponents(value: unknown): number {
  if (typeof value === 'number') return hasExponent(value) ? plainLength(value) - String(value).length : 0;
  if (typeof value !== 'object' || value === null) return 0;
  let bytes = 0;
  if (Array.isArray(value)) {
    for (const item of value) bytes += lostToExponents(item);
    return bytes;
  }
  for (const key in value) bytes += lostToExponents((value as Readonly<Record<string, unknown>>)[key]);
  return bytes;
}

/** True for the finite numbers that JavaScript writes with an exponent. */
function hasExponent(number: number): boolean {
  const size = Math.abs(number);
  return (size >= 1e21 && size < Infinity) || (size < 1e-6 && size > 0);
}

function plainLength(number: number): number {
  const [mantissa = '', power = ''] = Math.abs(number).toExponential().split('e');
  const digits = mantissa.replace('.', '').length;
  const exponent = Number(power);
  // Before the digits of a fraction are `0.` and one zero less than the exponent says.
  const length = exponent > 0 ? exponent + 1 : 1 - exponent + digits;
  return number < 0 ? length + 1 : length;
}
