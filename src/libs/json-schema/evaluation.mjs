// @ts-check
import { arrays } from './arrays.mjs';
import { combinations } from './combinations.mjs';
import { isObject } from './document.mjs';
import { objects } from './objects.mjs';
import { references } from './references.mjs';
import { numbers, texts, values } from './scalars.mjs';

/** @typedef {import('./document.mjs').Schema} Schema */
/** @typedef {import('./document.mjs').SchemaObject} SchemaObject */
/** @typedef {import('./document.mjs').Resource} Resource */
/** @typedef {import('./document.mjs').Document} Document */
/** A violation: the place as a JSON Pointer, and the expectation; never the value. @typedef {{ pointer: string, message: string }} Violation */
/** The resources that evaluation has entered, innermost first. @typedef {{ resource: Resource, outer: Scope } | null} Scope */
/** The members and items that a schema has evaluated; `true`: all. @typedef {{ names: Set<string> | true, items: Set<number> | true }} Seen */
/** The place of an evaluation in the value. @typedef {{ evaluation: Evaluation, at: string, scope: Scope, seen: Seen }} Place */

/** The evaluation costs more than its budget. */
export class OverBudget extends Error {}

const MAX_DEPTH = 400;
const CLOCK_EVERY = 512;

/** One evaluation of one value. Its cost is counted, so it ends for any schema and value. */
export class Evaluation {
  /** @type {Violation[]} */
  violations = [];
  #spent = 0;
  #depth = 0;
  /** Above zero nothing is reported, because a schema is only being tried. */
  #trying = 0;
  /** Lists of allowed values, as text. @type {Map<unknown[], Set<string>>} */
  #enums = new Map();

  /**
   * @param {Document} document
   * @param {{ budget: import('./budget.mjs').Budget, maxViolations: number }} limits
   */
  constructor(document, limits) {
    this.document = document;
    this.limits = limits;
  }

  /** @param {unknown} value @param {Schema} [schema] @returns {boolean} */
  fits(value, schema = this.document.root) {
    return this.apply(schema, value, '', null) !== null;
  }

  /** @param {number} cost */
  spend(cost = 1) {
    this.#spent += cost;
    if (this.#spent < CLOCK_EVERY) return;
    this.#spent = 0;
    if (this.limits.budget.isSpent()) throw new OverBudget('evaluation took too long');
  }

  /** @param {string} pointer @param {string} message @returns {false} */
  fail(pointer, message) {
    if (this.#trying === 0 && this.violations.length < this.limits.maxViolations)
      this.violations.push({ pointer, message });
    return false;
  }

  /** Applies a schema without reporting. @param {Schema} schema @param {unknown} value @param {Scope} scope @returns {Seen | null} */
  try(schema, value, scope) {
    this.#trying++;
    try {
      return this.apply(schema, value, '', scope);
    } finally {
      this.#trying--;
    }
  }

  /** @param {Schema} schema @param {unknown} value @param {string} at @param {Scope} scope @returns {Seen | null} null: violated */
  apply(schema, value, at, scope) {
    this.spend();
    if (schema === true) return nothing();
    if (schema === false) return this.fail(at, 'is not allowed') || null;
    const resource = this.document.resourceOf(schema);
    const inner = scope?.resource === resource ? scope : { resource, outer: scope };
    if (++this.#depth > MAX_DEPTH) throw new OverBudget('the schema refers to itself without end');
    try {
      const seen = nothing();
      return this.#all(schema, value, { evaluation: this, at, scope: inner, seen }) ? seen : null;
    } finally {
      this.#depth--;
    }
  }

  /**
   * Applies every keyword, also after a violated one, so that all violations are reported.
   * @param {SchemaObject} schema @param {unknown} value @param {Place} place @returns {boolean}
   */
  #all(schema, value, place) {
    const { dialect } = /** @type {NonNullable<Scope>} */ (place.scope).resource;
    if (dialect === 'draft-07' && typeof schema['$ref'] === 'string') return references(schema, value, place);
    let fits = references(schema, value, place);
    fits = values(schema, value, place) && fits;
    fits = combinations(schema, value, place) && fits;
    if (typeof value === 'string') fits = texts(schema, value, place) && fits;
    else if (typeof value === 'number') fits = numbers(schema, value, place) && fits;
    else if (Array.isArray(value)) fits = arrays(schema, value, place) && fits;
    else if (isObject(value)) fits = objects(schema, value, place) && fits;
    return fits;
  }

  /** Applies a subschema to the same value: what it has evaluated counts as evaluated here. @param {Schema} schema @param {unknown} value @param {Place} place */
  inPlace(schema, value, { at, scope, seen }) {
    const found = this.apply(schema, value, at, scope);
    if (found !== null) this.unite(seen, found);
    return found !== null;
  }

  /** @param {Seen} seen @param {Seen} more */
  unite(seen, more) {
    if (more.names === true) seen.names = true;
    else if (seen.names !== true) for (const name of more.names) seen.names.add(name);
    if (more.items === true) seen.items = true;
    else if (seen.items !== true) for (const item of more.items) seen.items.add(item);
    this.spend((sizeOf(more.names) + sizeOf(more.items)) >> 3);
  }

  /** @param {unknown[]} allowed @param {unknown} value */
  isAmong(allowed, value) {
    let texts = this.#enums.get(allowed);
    if (texts === undefined) {
      texts = new Set(allowed.map((each) => this.text(each)));
      this.#enums.set(allowed, texts);
    }
    return texts.has(this.text(value));
  }

  /** Equal values have equal texts, and only those. @param {unknown} value @returns {string} */
  text(value) {
    this.spend();
    if (Array.isArray(value)) return `[${value.map((each) => this.text(each)).join(',')}]`;
    if (!isObject(value)) return JSON.stringify(value);
    const keys = Object.keys(value).sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${this.text(value[key])}`).join(',')}}`;
  }

  /** @param {string} pattern @param {string} text */
  matches(pattern, text) {
    this.spend(1 + ((pattern.length * text.length) >> 5));
    return this.document.pattern(pattern).test(text);
  }
}

/** @returns {Seen} */
const nothing = () => ({ names: new Set(), items: new Set() });

/** @param {Set<unknown> | true} seen */
const sizeOf = (seen) => (seen === true ? 0 : seen.size);
