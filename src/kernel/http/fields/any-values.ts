import { fieldsOf } from './field-metadata.js';
import { AnyField } from './fields.js';

/**
 * A body class with the fields of another one and any values in them, for writes that may send back masked values,
 * which need not be valid (rule 3.17a): they are validated after the write is unmasked. The other class still documents
 * the valid values.
 */
export function AnyValuesOf<T extends object>(type: new () => T): new () => { [F in keyof T]?: unknown } {
  class AnyValues {}
  for (const field of fieldsOf(type).keys()) {
    Reflect.defineMetadata('design:type', Object, AnyValues.prototype, field);
    AnyField({ optional: true })(AnyValues.prototype, field);
  }
  return AnyValues;
}
