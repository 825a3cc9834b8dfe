// @ts-check
import { isObject } from './json-schema-document.mjs';
import { hasFormat } from './json-schema-patterns.mjs';

/** @typedef {import('./json-schema-document.mjs').Schema} Schema */
/** @typedef {import('./json-schema-document.mjs').SchemaObject} SchemaObject */
/** @typedef {import('./json-schema-document.mjs').Resource} Resource */
/** @typedef {import('./json-schema-document.mjs').Document} Document */
/** One thing that does not fit: where, as a JSON Pointer, and what is expected; never what was found. @typedef {{ pointer: string, message: string }} Misfit */
/** The resources that evaluation has entered, innermost first. @typedef {{ resource: Resource, outer: Scope } | null} Scope */
/** Which members and items a schema has looked at; `true`: all. @typedef {{ names: Set<string> | true, items: Set<number> | true }} Seen */

/** The evaluation costs more than its budget. */
export class OverBudget extends Error {}

const MAX_DEPTH = 400;
const CLOCK_EVERY = 512;

/** One evaluation of one value. What it may cost is counted, so it ends whatever schema and value are. */
export class Evaluation {
  /** @type {Misfit[]} */
  misfits = [];
  #spent = 0;
  #depth = 0;
  /** Above zero nothing is reported: it is only tried whether a schema fits. */
  #trying = 0;

  /**
   * @param {Document} document
   * @param {{ until: number, maxMisfits: number }} budget `until` on the clock of performance.now()
   */
  constructor(document, budget) {
    this.document = document;
    this.budget = budget;
  }

  /** @param {unknown} value @param {Schema} [schema] @returns {boolean} */
  fits(value, schema = this.document.root) {
    return this.#apply(schema, value, '', null) !== null;
  }

  /** @param {number} cost */
  #spend(cost = 1) {
    this.#spent += cost;
    if (this.#spent < CLOCK_EVERY) return;
    this.#spent = 0;
    if (performance.now() > this.budget.until) throw new OverBudget('evaluation took too long');
  }

  /** @param {string} pointer @param {string} message @returns {false} */
  #fail(pointer, message) {
    if (this.#trying === 0 && this.misfits.length < this.budget.maxMisfits)
      this.misfits.push({ pointer, message });
    return false;
  }

  /** Without reporting. @param {Schema} schema @param {unknown} value @param {Scope} scope @returns {Seen | null} */
  #try(schema, value, scope) {
    this.#trying++;
    try {
      return this.#apply(schema, value, '', scope);
    } finally {
      this.#trying--;
    }
  }

  /** @param {Schema} schema @param {unknown} value @param {string} at @param {Scope} scope @returns {Seen | null} null: it does not fit */
  #apply(schema, value, at, scope) {
    this.#spend();
    if (schema === true) return nothing();
    if (schema === false) return this.#fail(at, 'is not allowed') || null;
    const resource = this.document.resourceOf(schema);
    const inner = scope?.resource === resource ? scope : { resource, outer: scope };
    if (++this.#depth > MAX_DEPTH) throw new OverBudget('the schema refers to itself without end');
    try {
      const seen = nothing();
      return this.#all(schema, value, { at, scope: inner, seen }) ? seen : null;
    } finally {
      this.#depth--;
    }
  }

  /**
   * Every keyword, also after one that does not fit: all that is wrong is told.
   * @param {SchemaObject} schema @param {unknown} value @param {Place} place @returns {boolean}
   */
  #all(schema, value, place) {
    const { dialect } = /** @type {NonNullable<Scope>} */ (place.scope).resource;
    if (dialect === 'draft-07' && typeof schema['$ref'] === 'string')
      return this.#references(schema, value, place);
    let fits = this.#references(schema, value, place);
    fits = this.#values(schema, value, place) && fits;
    fits = this.#combinations(schema, value, place) && fits;
    if (typeof value === 'string') fits = this.#texts(schema, value, place) && fits;
    else if (typeof value === 'number') fits = this.#numbers(schema, value, place) && fits;
    else if (Array.isArray(value)) fits = this.#arrays(schema, value, place) && fits;
    else if (isObject(value)) fits = this.#objects(schema, value, place) && fits;
    return fits;
  }

  /** A subschema about the same value: what it looked at counts as looked at here. @param {Schema} schema @param {unknown} value @param {Place} place */
  #inPlace(schema, value, { at, scope, seen }) {
    const found = this.#apply(schema, value, at, scope);
    if (found !== null) this.#unite(seen, found);
    return found !== null;
  }

  /** @param {Seen} seen @param {Seen} more */
  #unite(seen, more) {
    if (more.names === true) seen.names = true;
    else if (seen.names !== true) for (const name of more.names) seen.names.add(name);
    if (more.items === true) seen.items = true;
    else if (seen.items !== true) for (const item of more.items) seen.items.add(item);
    this.#spend((sizeOf(more.names) + sizeOf(more.items)) >> 3);
  }

  /** @param {SchemaObject} schema @param {unknown} value @param {Place} place */
  #references(schema, value, place) {
    const { scope } = place;
    const { resource } = /** @type {NonNullable<Scope>} */ (scope);
    let fits = true;
    if (typeof schema['$ref'] === 'string') {
      fits = this.#inPlace(this.document.resolve(schema['$ref'], resource).schema, value, place);
    }
    if (resource.dialect === '2020-12' && typeof schema['$dynamicRef'] === 'string') {
      const target = this.document.resolve(schema['$dynamicRef'], resource);
      const name = target.dynamicName;
      const dynamic =
        name === null ? null : outermost(scope, ({ dynamicAnchors }) => dynamicAnchors.get(name));
      fits = this.#inPlace(dynamic ?? target.schema, value, place) && fits;
    }
    if (resource.dialect === '2019-09' && schema['$recursiveRef'] === '#') {
      const recursive = (/** @type {Resource} */ { root }) =>
        isObject(root) && root['$recursiveAnchor'] === true ? root : undefined;
      const target = recursive(resource) && outermost(scope, recursive);
      fits = this.#inPlace(target ?? resource.root, value, place) && fits;
    }
    return fits;
  }

  /** @param {SchemaObject} schema @param {unknown} value @param {Place} place */
  #values(schema, value, { at }) {
    let fits = true;
    const { type } = schema;
    if (type !== undefined) {
      const types = Array.isArray(type) ? type : [type];
      if (!types.some((each) => isOfType(value, each)))
        fits = this.#fail(at, `must be ${types.join(' or ')}`);
    }
    if (Array.isArray(schema['enum']) && !this.#oneOf(schema['enum'], value)) {
      fits = this.#fail(at, 'must be one of the allowed values');
    }
    if ('const' in schema && !this.#oneOf([schema['const']], value))
      fits = this.#fail(at, 'must be the one allowed value');
    return fits;
  }

  /** @type {Map<unknown[], Set<string>>} */
  #enums = new Map();

  /** @param {unknown[]} allowed @param {unknown} value */
  #oneOf(allowed, value) {
    let texts = this.#enums.get(allowed);
    if (texts === undefined) {
      texts = new Set(allowed.map((each) => this.#text(each)));
      this.#enums.set(allowed, texts);
    }
    return texts.has(this.#text(value));
  }

  /** Equal values have equal texts, and only those. @param {unknown} value @returns {string} */
  #text(value) {
    this.#spend();
    if (Array.isArray(value)) return `[${value.map((each) => this.#text(each)).join(',')}]`;
    if (!isObject(value)) return JSON.stringify(value);
    const keys = Object.keys(value).sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${this.#text(value[key])}`).join(',')}}`;
  }

  /** @param {SchemaObject} schema @param {unknown} value @param {Place} place */
  #combinations(schema, value, place) {
    const { at, scope, seen } = place;
    let fits = true;
    if (Array.isArray(schema['allOf'])) {
      for (const part of schema['allOf']) fits = this.#inPlace(part, value, place) && fits;
    }
    for (const keyword of /** @type {const} */ (['anyOf', 'oneOf'])) {
      if (!Array.isArray(schema[keyword])) continue;
      let matching = 0;
      for (const part of schema[keyword]) {
        const found = this.#try(part, value, scope);
        if (found === null) continue;
        matching++;
        this.#unite(seen, found);
      }
      if (matching === 0)
        fits = this.#fail(
          at,
          `must match ${keyword === 'anyOf' ? 'at least' : 'exactly'} one of the alternatives`,
        );
      else if (keyword === 'oneOf' && matching > 1)
        fits = this.#fail(at, 'must match exactly one of the alternatives');
    }
    if ('not' in schema && this.#try(schema['not'], value, scope) !== null)
      fits = this.#fail(at, 'must not match what is excluded');
    if ('if' in schema) {
      const found = this.#try(schema['if'], value, scope);
      if (found !== null) this.#unite(seen, found);
      const branch = found === null ? 'else' : 'then';
      if (branch in schema) fits = this.#inPlace(schema[branch], value, place) && fits;
    }
    return fits;
  }

  /** @param {SchemaObject} schema @param {string} value @param {Place} place */
  #texts(schema, value, { at }) {
    let fits = true;
    const { minLength, maxLength, pattern, format } = schema;
    if (minLength !== undefined || maxLength !== undefined) {
      this.#spend(value.length >> 6);
      const length = lengthOf(value);
      if (length < minLength) fits = this.#fail(at, `must have at least ${minLength} characters`);
      if (length > maxLength) fits = this.#fail(at, `must have at most ${maxLength} characters`);
    }
    if (typeof pattern === 'string' && !this.#matches(pattern, value))
      fits = this.#fail(at, 'must match the pattern');
    if (this.document.assertsFormats && typeof format === 'string' && !hasFormat(format, value)) {
      fits = this.#fail(at, `must be of format ${format}`);
    }
    return fits;
  }

  /** @param {string} pattern @param {string} text */
  #matches(pattern, text) {
    this.#spend(1 + ((pattern.length * text.length) >> 5));
    return this.document.pattern(pattern).test(text);
  }

  /** @param {SchemaObject} schema @param {number} value @param {Place} place */
  #numbers(schema, value, { at }) {
    let fits = true;
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
    if (value < minimum) fits = this.#fail(at, `must be at least ${minimum}`);
    if (value > maximum) fits = this.#fail(at, `must be at most ${maximum}`);
    if (value <= exclusiveMinimum) fits = this.#fail(at, `must be more than ${exclusiveMinimum}`);
    if (value >= exclusiveMaximum) fits = this.#fail(at, `must be less than ${exclusiveMaximum}`);
    if (multipleOf !== undefined && !isMultiple(value, multipleOf))
      fits = this.#fail(at, `must be a multiple of ${multipleOf}`);
    return fits;
  }

  /** @param {SchemaObject} schema @param {unknown[]} value @param {Place} place */
  #arrays(schema, value, place) {
    const { at } = place;
    let fits = true;
    const { minItems, maxItems } = schema;
    if (value.length < minItems) fits = this.#fail(at, `must have at least ${minItems} items`);
    if (value.length > maxItems) fits = this.#fail(at, `must have at most ${maxItems} items`);
    if (
      schema['uniqueItems'] === true &&
      new Set(value.map((item) => this.#text(item))).size < value.length
    ) {
      fits = this.#fail(at, 'must not have the same item twice');
    }
    fits = this.#items(schema, value, place) && fits;
    if ('contains' in schema) fits = this.#contains(schema, value, place) && fits;
    if ('unevaluatedItems' in schema && place.seen.items !== true) {
      const { items } = place.seen;
      fits =
        this.#each(schema['unevaluatedItems'], value, { ...place, skip: (index) => items.has(index) }) &&
        fits;
    }
    return fits;
  }

  /** `prefixItems` and `items`; before 2020-12 `items` and `additionalItems`. @param {SchemaObject} schema @param {unknown[]} value @param {Place} place */
  #items(schema, value, place) {
    const isNewer = /** @type {NonNullable<Scope>} */ (place.scope).resource.dialect === '2020-12';
    const first = isNewer
      ? schema['prefixItems']
      : Array.isArray(schema['items'])
        ? schema['items']
        : undefined;
    const rest = isNewer || first === undefined ? schema['items'] : schema['additionalItems'];
    const prefix = Array.isArray(first) ? first : [];
    let fits = true;
    for (let index = 0; index < Math.min(prefix.length, value.length); index++) {
      fits = this.#apply(prefix[index], value[index], `${place.at}/${index}`, place.scope) !== null && fits;
      if (place.seen.items !== true) place.seen.items.add(index);
    }
    if (rest === undefined || Array.isArray(rest)) return fits;
    return this.#each(rest, value, { ...place, skip: (index) => index < prefix.length }) && fits;
  }

  /** @param {Schema} schema @param {unknown[]} value @param {Place & { skip: (index: number) => boolean }} place */
  #each(schema, value, { at, scope, seen, skip }) {
    let fits = true;
    for (let index = 0; index < value.length; index++) {
      if (!skip(index)) fits = this.#apply(schema, value[index], `${at}/${index}`, scope) !== null && fits;
    }
    seen.items = true;
    return fits;
  }

  /** @param {SchemaObject} schema @param {unknown[]} value @param {Place} place */
  #contains(schema, value, { at, scope, seen }) {
    const { dialect } = /** @type {NonNullable<Scope>} */ (scope).resource;
    const counts = dialect !== 'draft-07';
    const least = (counts ? schema['minContains'] : undefined) ?? 1;
    const most = (counts ? schema['maxContains'] : undefined) ?? Infinity;
    let matching = 0;
    for (let index = 0; index < value.length; index++) {
      if (this.#try(schema['contains'], value[index], scope) === null) continue;
      matching++;
      if (dialect === '2020-12' && seen.items !== true) seen.items.add(index);
    }
    if (matching < least) return this.#fail(at, `must have at least ${least} matching items`);
    return matching > most ? this.#fail(at, `must have at most ${most} matching items`) : true;
  }

  /** @param {SchemaObject} schema @param {SchemaObject} value @param {Place} place */
  #objects(schema, value, place) {
    const { at, scope } = place;
    const keys = Object.keys(value);
    this.#spend(keys.length);
    let fits = this.#members(schema, value, place);
    const { minProperties, maxProperties, required } = schema;
    if (keys.length < minProperties) fits = this.#fail(at, `must have at least ${minProperties} members`);
    if (keys.length > maxProperties) fits = this.#fail(at, `must have at most ${maxProperties} members`);
    if (Array.isArray(required)) {
      this.#spend(required.length);
      for (const key of required)
        if (!Object.hasOwn(value, key)) fits = this.#fail(below(at, key), 'is required');
    }
    if ('propertyNames' in schema) {
      for (const key of keys) {
        if (this.#try(schema['propertyNames'], key, scope) === null)
          fits = this.#fail(below(at, key), 'is not allowed as a name');
      }
    }
    fits = this.#dependencies(schema, value, place) && fits;
    const { names } = place.seen;
    if ('unevaluatedProperties' in schema && names !== true) {
      for (const key of keys) {
        if (!names.has(key))
          fits =
            this.#apply(schema['unevaluatedProperties'], value[key], below(at, key), scope) !== null && fits;
      }
      place.seen.names = true;
    }
    return fits;
  }

  /** `properties`, `patternProperties`, `additionalProperties`. @param {SchemaObject} schema @param {SchemaObject} value @param {Place} place */
  #members(schema, value, { at, scope, seen }) {
    const { properties, patternProperties } = schema;
    const patterns = isObject(patternProperties) ? Object.keys(patternProperties) : [];
    let fits = true;
    for (const [key, member] of Object.entries(value)) {
      const schemas = isObject(properties) && Object.hasOwn(properties, key) ? [properties[key]] : [];
      for (const pattern of patterns)
        if (this.#matches(pattern, key)) schemas.push(patternProperties[pattern]);
      if (schemas.length === 0 && 'additionalProperties' in schema)
        schemas.push(schema['additionalProperties']);
      for (const each of schemas) fits = this.#apply(each, member, below(at, key), scope) !== null && fits;
      if (schemas.length > 0 && seen.names !== true) seen.names.add(key);
    }
    return fits;
  }

  /** @param {SchemaObject} schema @param {SchemaObject} value @param {Place} place */
  #dependencies(schema, value, place) {
    const isOld = /** @type {NonNullable<Scope>} */ (place.scope).resource.dialect === 'draft-07';
    let fits = true;
    for (const keyword of isOld ? ['dependencies'] : ['dependentSchemas', 'dependentRequired']) {
      if (!isObject(schema[keyword])) continue;
      for (const [key, wanted] of Object.entries(schema[keyword])) {
        this.#spend();
        if (!Object.hasOwn(value, key)) continue;
        if (!Array.isArray(wanted)) fits = this.#inPlace(wanted, value, place) && fits;
        else
          for (const name of wanted)
            if (!Object.hasOwn(value, name)) fits = this.#fail(below(place.at, name), 'is required');
      }
    }
    return fits;
  }
}

/** @typedef {{ at: string, scope: Scope, seen: Seen }} Place */

/** @returns {Seen} */
const nothing = () => ({ names: new Set(), items: new Set() });

/** @param {Set<unknown> | true} seen */
const sizeOf = (seen) => (seen === true ? 0 : seen.size);

/** The schema that the outermost of the resources gives. @param {Scope} scope @param {(resource: Resource) => SchemaObject | undefined} choose */
function outermost(scope, choose) {
  let found = null;
  for (let each = scope; each !== null; each = each.outer) found = choose(each.resource) ?? found;
  return found;
}

/** @param {string} at @param {string} key */
const below = (at, key) => `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** @param {unknown} value @param {string} type */
function isOfType(value, type) {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

/** Characters, not UTF-16 units. @param {string} text */
function lengthOf(text) {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** In decimals, as the numbers are written: 0.0075 is a multiple of 0.0001. @param {number} value @param {number} divisor */
function isMultiple(value, divisor) {
  if (!(divisor > 0)) return true;
  const [a, b] = [decimal(value), decimal(divisor)];
  const exponent = Math.min(a.exponent, b.exponent);
  const scaled = (/** @type {typeof a} */ { digits, exponent: own }) =>
    digits * 10n ** BigInt(own - exponent);
  return scaled(a) % scaled(b) === 0n;
}

/** @param {number} value @returns {{ digits: bigint, exponent: number }} */
function decimal(value) {
  const [mantissa = '0', power = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}
