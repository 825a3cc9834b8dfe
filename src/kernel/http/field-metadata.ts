import 'reflect-metadata';

/** What binding must know of a field beyond what the validator keeps. */
interface FieldFacts {
  /** Taken when the field is absent. */
  default?: unknown;
  /** Its items are bound one by one by the service. */
  itemwise?: boolean;
  /** How deep it may be nested is for the service to say, up to what a body may be at all. */
  ownDepth?: boolean;
  /** What is sent in a body is not yet what the field holds. */
  isConverted?: boolean;
}

const FIELDS = Symbol('fields');
const IGNORED = Symbol('fields ignored by a class that refuses unknown ones');

/** The declared fields of a DTO class, inherited ones included. Of any other class: none. */
export function fieldsOf(type: object): ReadonlyMap<string, FieldFacts> {
  return (Reflect.getMetadata(FIELDS, type) as ReadonlyMap<string, FieldFacts> | undefined) ?? new Map();
}

export function rememberField(facts: FieldFacts): PropertyDecorator {
  return (target, key) => {
    const type = target.constructor;
    const fields = new Map(fieldsOf(type));
    Reflect.defineMetadata(FIELDS, fields.set(String(key), { ...fields.get(String(key)), ...facts }), type);
  };
}

/**
 * For DTO classes that say what others may see and do: a key that is not known is refused instead of passed over, since
 * a mistyped restriction would restrict nothing.
 * @param ignored keys that come along when a record is written back as it was read
 */
export function OnlyKnownFields(ignored: readonly string[] = []): ClassDecorator {
  return (type) => Reflect.defineMetadata(IGNORED, ignored, type);
}

/** Undefined for a class that takes any key. */
export function ignoredBy(type: object): readonly string[] | undefined {
  return Reflect.getMetadata(IGNORED, type) as readonly string[] | undefined;
}
