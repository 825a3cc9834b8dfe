import { jest } from '@jest/globals';
import { openTransaction } from '../../../src/kernel/database/transaction.js';
import { Slices, type Steps } from '../../../src/kernel/slices.js';
import { CompiledTransformation } from '../../../src/privacy/domain/exposure/compiled-transformation.js';
import { FieldExposure } from '../../../src/privacy/domain/exposure/field-exposure.js';

/** Longer texts have to be redacted in slices, and values whose JSON is longer changed in slices. */
const LONG = 2_000;

const isLong = (value: unknown): boolean => JSON.stringify(value ?? null).length > LONG;
const takesTime = ({ redacts }: CompiledTransformation, value: unknown): boolean =>
  isLong(value) && (redacts || typeof value === 'object');

/**
 * Records the long fields that are changed or restored from now on, in one piece, in slices, and while a transaction
 * holds a connection, and the nodes that are shown after another one was prepared, for which cached fields may have been
 * removed.
 */
export function watched(): Record<'atOnce' | 'inSlices' | 'holding' | 'late', string[]> {
  const fields = {
    atOnce: [] as string[],
    inSlices: [] as string[],
    holding: [] as string[],
    late: [] as string[],
  };
  let prepared: unknown = null;
  const { prepare, expose } = FieldExposure.prototype;
  jest.spyOn(FieldExposure.prototype, 'prepare').mockImplementation(function (
    this: FieldExposure,
    node,
    ...given
  ) {
    prepared = node['id'];
    return prepare.call(this, node, ...given);
  });
  jest.spyOn(FieldExposure.prototype, 'expose').mockImplementation(function (
    this: FieldExposure,
    node,
    ...given
  ) {
    if (this.takesTime && node['id'] !== prepared) fields.late.push(String(node['title']));
    return expose.call(this, node, ...given);
  });
  const { apply, applying } = CompiledTransformation.prototype;
  const spy = jest.spyOn(CompiledTransformation.prototype, 'apply');
  spy.mockImplementation(function (this: CompiledTransformation, path, value, id) {
    if (takesTime(this, value)) fields.atOnce.push(path.join('.'));
    return apply.call(this, path, value, id);
  });
  const slicing = jest.spyOn(CompiledTransformation.prototype, 'applying');
  slicing.mockImplementation(function (this: CompiledTransformation, path, value, id) {
    if (isLong(value)) fields.inSlices.push(path.join('.'));
    if (isLong(value) && openTransaction.getStore()?.isBegun === true) fields.holding.push(path.join('.'));
    return applying.call(this, path, value, id);
  });
  watchWritten(fields.atOnce);
  return fields;
}

/** Records the long fields that are restored, or searched for marks, outside of slices. */
function watchWritten(fields: string[]): void {
  let isSlicing = false;
  const { slice } = Slices.prototype as unknown as { slice: (work: Iterator<unknown>) => unknown };
  const slices = jest.spyOn(Slices.prototype as unknown as { slice: typeof slice }, 'slice');
  slices.mockImplementation(function (this: Slices, work) {
    isSlicing = true;
    try {
      return slice.call(this, work);
    } finally {
      isSlicing = false;
    }
  });
  for (const name of ['restoring', 'marking'] as const) {
    const original = FieldExposure.prototype[name] as (...given: unknown[]) => Steps<never>;
    const spy = jest.spyOn(FieldExposure.prototype, name);
    spy.mockImplementation(function* (this: FieldExposure, field, values) {
      if (!isSlicing && !this.isIdentity && isLong(values.written)) fields.push(`${name} ${field}`);
      return yield* original.call(this, field, values);
    });
  }
}
