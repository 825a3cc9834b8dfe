import { fieldsOf } from './field-metadata.js';
import { AnyField } from './fields.js';

/**
 * A body class with the fields of another one and any values in them. For writes that may bring back what their writer
 * was shown, which need not fit (decisions 3.17): they are checked once it is known what is meant. The other class goes
 * on telling in the document what fits.
 */
export function AnyValuesOf<T extends object>(type: new () => T): new () => { [F in keyof T]?: unknown } {
  class AnyValues {}
  for (const field of fieldsOf(type).keys()) {
    Reflect.defineMetadata('design:type', Object, AnyValues.prototype, field);
    AnyField({ optional: true })(AnyValues.prototype, field);
  }
  return AnyValues;
}
