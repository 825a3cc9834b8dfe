import 'reflect-metadata';

/** Facts about a field that binding needs beyond those the validator stores. */
interface FieldFacts {
  /** The value of an absent field. */
  default?: unknown;
  /** True if the service binds its items one by one. */
  itemwise?: boolean;
  /** True if the service limits its nesting, up to the limit of a body. */
  ownDepth?: boolean;
  /** True if the value in a body must be converted to the value of the field. */
  isConverted?: boolean;
  nested?: Nested;
  /** True if it must be present. */
  isRequired?: boolean;
  /** True for an object with any names. */
  isFree?: boolean;
  /** The class of answers whose fields the value names. */
  selects?: () => new () => object;
}

/** A field whose value is an object of a DTO class, or an array of them. */
export interface Nested {
  readonly type: () => new () => object;
  /** The most items of an array; null if the value is one object. */
  readonly maxItems: number | null;
}

const FIELDS = Symbol('fields');
const IGNORED = Symbol('fields ignored by a class that refuses unknown ones');

/** The declared fields of a DTO class, inherited ones included; empty for any other class. */
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
 * Marks DTO classes that restrict what others may see and do: an unknown key is refused instead of ignored, since a
 * mistyped restriction would restrict nothing (rule 11.4c).
 * @param ignored keys that are present when a record is written back as it was read
 */
export function OnlyKnownFields(ignored: readonly string[] = []): ClassDecorator {
  return (type) => Reflect.defineMetadata(IGNORED, ignored, type);
}

/** The ignored keys of a class that refuses unknown ones; undefined for a class that takes any key. */
export function ignoredBy(type: object): readonly string[] | undefined {
  return Reflect.getMetadata(IGNORED, type) as readonly string[] | undefined;
}
