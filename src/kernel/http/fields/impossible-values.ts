import { type FieldError } from '../../errors/domain-error.js';
import { FORBIDDEN_KEYS, isStorable } from '../../storable.js';

const MAX_DEPTH = 34; // a body's own level and the field's, then the 32 of a free object (rule 4.13b)
const MOST_ERRORS = 20;

/**
 * The first values of a body that no field accepts, at any depth: NUL and lone surrogates (PostgreSQL cannot store
 * them), numbers beyond a double, keys that reach an object's prototype, excessive nesting.
 * @param isDeep true for a field of the body that limits its nesting itself
 */
export function impossibleValues(body: object, isDeep: (key: string) => boolean): FieldError[] {
  return new Search(isDeep).errorsIn(body);
}

/** One walk that ends with the last error that is reported. A path becomes text only for an error. */
class Search {
  private readonly errors: FieldError[] = [];
  private readonly path: (string | number)[] = [];

  constructor(private readonly isDeep: (key: string) => boolean) {}

  errorsIn(body: object): FieldError[] {
    this.goOn(body, 0, MAX_DEPTH);
    return this.errors;
  }

  /**
   * False once the errors suffice.
   * @param at the number of steps from the body to the value
   * @param levels the remaining levels
   */
  private goOn(value: unknown, at: number, levels: number): boolean {
    if (typeof value === 'string')
      return isStorable(value) || this.add(at, 'must not contain NUL or lone surrogates');
    if (typeof value === 'number') return Number.isFinite(value) || this.add(at, 'must be a finite number');
    if (typeof value !== 'object' || value === null) return true;
    if (levels === 0) return this.add(at, 'is nested too deeply');
    return Array.isArray(value)
      ? this.inElements(value, at, levels)
      : this.inMembers(value as Readonly<Record<string, unknown>>, at, levels);
  }

  private inElements(values: readonly unknown[], at: number, levels: number): boolean {
    for (let index = 0; index < values.length; index++) {
      this.path[at] = index;
      if (!this.goOn(values[index], at + 1, levels - 1)) return false;
    }
    return true;
  }

  private inMembers(values: Readonly<Record<string, unknown>>, at: number, levels: number): boolean {
    for (const key of Object.keys(values)) {
      this.path[at] = key;
      const below = at === 0 && this.isDeep(key) ? Infinity : levels - 1;
      const isEnough = FORBIDDEN_KEYS.has(key)
        ? !this.add(at + 1, 'is not allowed as a key')
        : isStorable(key)
          ? !this.goOn(values[key], at + 1, below)
          : !this.add(at, 'must not have a key with NUL or lone surrogates');
      if (isEnough) return false;
    }
    return true;
  }

  private add(at: number, message: string): boolean {
    this.errors.push({ field: this.path.slice(0, at).join('.'), message });
    return this.errors.length < MOST_ERRORS;
  }
}
