import { getMetadataStorage, ValidationTypes } from 'class-validator';

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];
type Field = (value: unknown, object: object) => boolean;

const UNDECIDED = null;
const compiled = new WeakMap<object, ReadonlyMap<string, Field> | typeof UNDECIDED>();

/**
 * Whether an instance passes every check that its class declares: the library's own checks, gathered once for each
 * class, where the library gathers them for each instance. What does not pass, or has other objects in it, is the
 * library's to judge, and to say what is wrong.
 */
export function passesAtOnce(instance: object): boolean {
  const type = instance.constructor;
  let fields = compiled.get(type);
  if (fields === undefined) compiled.set(type, (fields = compile(type)));
  if (fields === UNDECIDED) return false;
  for (const [name, fits] of fields) {
    if (!fits((instance as Record<string, unknown>)[name], instance)) return false;
  }
  return true;
}

function compile(type: NonNullable<unknown>): Map<string, Field> | typeof UNDECIDED {
  const storage = getMetadataStorage();
  const all = storage.getTargetValidationMetadatas(type as () => void, '', false, false);
  const known: string[] = [ValidationTypes.CUSTOM_VALIDATION, ValidationTypes.CONDITIONAL_VALIDATION];
  if (all.some(({ type: kind, validateIf }) => !known.includes(kind) || validateIf !== undefined))
    return UNDECIDED;
  const byName = storage.groupByPropertyName(all) as Record<string, Metadata[]>;
  return new Map(Object.entries(byName).map(([name, metadata]) => [name, fieldOf(metadata)]));
}

function fieldOf(metadata: readonly Metadata[]): Field {
  const conditions = metadata
    .filter(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION)
    .map(({ constraints: [applies] }) => applies as (object: object, value: unknown) => boolean);
  const checks = metadata.filter(({ type }) => type === ValidationTypes.CUSTOM_VALIDATION).flatMap(checksOf);
  return (value, object) =>
    conditions.some((applies) => !applies(object, value)) || checks.every((fits) => fits(value, object));
}

function checksOf({ constraintCls, constraints, each, propertyName: property }: Metadata): Field[] {
  return getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .map(({ instance }) => {
      const one: Field = (value, object) =>
        instance.validate(value, { value, constraints, object, property, targetName: '' }) === true;
      return (value, object) =>
        each && Array.isArray(value) ? value.every((item) => one(item, object)) : one(value, object);
    });
}
