import { getMetadataStorage, ValidationTypes } from 'class-validator';
import { isFastPathOn } from '../../fast-paths.js';

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];
type Test = (value: unknown, object: object) => boolean;

/** The checks of one field. A value that fails a test is invalid, unless one of the conditions exempts it. */
interface Field {
  readonly name: string;
  readonly conditions: readonly ((object: object, value: unknown) => boolean)[];
  readonly tests: readonly Test[];
}

const UNDECIDED = null;
const compiled = new WeakMap<object, readonly Field[] | typeof UNDECIDED>();

/**
 * True if an instance passes every check that its class declares: the library's own checks, collected once for each
 * class, where the library collects them for each instance. On false the library decides, and names the errors: an
 * instance may fail here because its class nests other objects.
 */
export function isValidFast(instance: object): boolean {
  if (!isFastPathOn('collected-checks')) return false;
  const type = instance.constructor;
  let fields = compiled.get(type);
  if (fields === undefined) compiled.set(type, (fields = compile(type)));
  if (fields === UNDECIDED) return false;
  for (const field of fields) if (!fits(field, instance)) return false;
  return true;
}

function fits({ name, conditions, tests }: Field, instance: object): boolean {
  const value = (instance as Record<string, unknown>)[name];
  for (const applies of conditions) if (!applies(instance, value)) return true;
  for (const test of tests) if (!test(value, instance)) return false;
  return true;
}

function compile(type: NonNullable<unknown>): Field[] | typeof UNDECIDED {
  const storage = getMetadataStorage();
  const all = storage.getTargetValidationMetadatas(type as () => void, '', false, false);
  const known: string[] = [ValidationTypes.CUSTOM_VALIDATION, ValidationTypes.CONDITIONAL_VALIDATION];
  if (all.some(({ type: kind, validateIf }) => !known.includes(kind) || validateIf !== undefined))
    return UNDECIDED;
  const byName = storage.groupByPropertyName(all) as Record<string, Metadata[]>;
  return Object.entries(byName).map(([name, metadata]) => ({
    name,
    conditions: metadata
      .filter(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION)
      .map(({ constraints: [applies] }) => applies as Field['conditions'][number]),
    tests: metadata.filter(({ type }) => type === ValidationTypes.CUSTOM_VALIDATION).flatMap(testsOf),
  }));
}

function testsOf({ constraintCls, constraints, each, propertyName: property }: Metadata): Test[] {
  return getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .map(({ instance }) => {
      const one: Test = (value, object) =>
        instance.validate(value, { value, constraints, object, property, targetName: '' }) === true;
      return (value, object) =>
        each && Array.isArray(value) ? value.every((item) => one(item, object)) : one(value, object);
    });
}
