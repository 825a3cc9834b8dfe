// @ts-check
import { createRequire } from 'node:module';
import { patternOf } from './patterns.mjs';

/** @typedef {'draft-07' | '2019-09' | '2020-12'} Dialect */
/** @typedef {boolean | { [keyword: string]: any }} Schema */
/** @typedef {{ [keyword: string]: any }} SchemaObject */
/**
 * A part of a document with a URI of its own: the root, and every subschema with `$id`.
 * @typedef {object} Resource
 * @property {string} uri
 * @property {Dialect} dialect
 * @property {Schema} root
 * @property {Map<string, SchemaObject>} anchors
 * @property {Map<string, SchemaObject>} dynamicAnchors
 */
/**
 * The target of a reference. `dynamicName` is set when the reference first led to a `$dynamicAnchor`.
 * @typedef {{ schema: Schema, resource: Resource, dynamicName: string | null }} Target
 */

/** An error in a schema; the message is for its author. */
export class InvalidSchema extends Error {}

export const DIALECTS = new Map(
  /** @type {[string, Dialect][]} */ ([
    ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
    ['https://json-schema.org/draft/2019-09/schema', '2019-09'],
    ['http://json-schema.org/draft-07/schema', 'draft-07'],
    ['https://json-schema.org/draft-07/schema', 'draft-07'],
  ]),
);
/** The URI of a document without one; relative references below it cannot be resolved. */
const NO_URI = 'json-schema:///';

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const ONE = [
  'additionalProperties',
  'propertyNames',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'items',
  'additionalItems',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
];
const MANY = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'];

/** @param {unknown} value @returns {value is SchemaObject} */
export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * @param {unknown} uri of `$schema`
 * @returns {Dialect}
 */
export function dialectOf(uri) {
  if (uri === undefined) return '2020-12';
  const dialect = typeof uri === 'string' ? DIALECTS.get(uri.replace(/#$/, '')) : undefined;
  if (dialect === undefined) throw new InvalidSchema('$schema must be one of draft-07, 2019-09 and 2020-12');
  return dialect;
}

/** A schema with all its addressable parts; references are resolved once, and never outside of it. */
export class Document {
  /** @type {Map<string, Resource>} */
  #resources = new Map();
  /** @type {Map<SchemaObject, Resource>} */
  #owners = new Map();
  /** @type {Map<string, Target>} */
  #targets = new Map();
  /** @type {Map<string, import('./patterns.mjs').Pattern>} */
  #patterns = new Map();
  /** @type {[SchemaObject, Resource][]} */
  #pending = [];
  /** @type {() => void} */
  #watch;

  /**
   * @param {Schema} root
   * @param {Document | null} standard the schemas that every document may refer to
   * @param {() => void} [watch] is called often while the document is built, and may throw
   */
  constructor(root, standard, watch = () => undefined) {
    this.root = root;
    this.standard = standard;
    this.#watch = watch;
    this.dialect = dialectOf(isObject(root) ? root['$schema'] : undefined);
    this.assertsFormats = isObject(root) && root['x-assert-formats'] === true;
    this.addAll([root], this.dialect);
    this.#watch = () => undefined;
  }

  /** Schemas that may refer to each other. @param {Schema[]} roots @param {Dialect} dialect */
  addAll(roots, dialect) {
    for (const root of roots) {
      /** @type {Resource} */
      const resource = { uri: NO_URI, dialect, root, anchors: new Map(), dynamicAnchors: new Map() };
      if (!this.#resources.has(NO_URI)) this.#resources.set(NO_URI, resource);
      this.#index(root, resource);
    }
    this.#settle();
  }

  /** The resource that contains a schema. @param {SchemaObject} schema @returns {Resource} */
  resourceOf(schema) {
    const resource = this.#owners.get(schema) ?? this.standard?.resourceOf(schema);
    if (resource === undefined) throw new InvalidSchema('a reference leads to what is no schema');
    return resource;
  }

  /** @param {string} source */
  pattern(source) {
    let pattern = this.#patterns.get(source);
    if (pattern === undefined) {
      this.#watch();
      try {
        this.#patterns.set(source, (pattern = patternOf(source)));
      } catch (error) {
        throw new InvalidSchema(/** @type {Error} */ (error).message);
      }
    }
    return pattern;
  }

  /**
   * @param {string} reference as it is written
   * @param {Resource} from
   * @returns {Target}
   */
  resolve(reference, from) {
    const key = `${from.uri}\n${reference}`;
    let target = this.#targets.get(key);
    if (target === undefined) this.#targets.set(key, (target = this.#find(reference, from)));
    return target;
  }

  /** @param {string} reference @param {Resource} from @returns {Target} */
  #find(reference, from) {
    const [path = '', fragment = ''] = reference.split(/#(.*)/s);
    const uri = path === '' ? from.uri : resolveUri(path, from.uri);
    const resource = this.#resources.get(uri) ?? this.standard?.find(uri);
    if (resource === undefined) {
      throw new InvalidSchema(`"${shortened(reference)}" refers to something outside of this schema`);
    }
    const name = decoded(fragment);
    if (name === '') return { schema: resource.root, resource, dynamicName: null };
    if (name.startsWith('/')) return this.#at(resource, name);
    const dynamic = resource.dynamicAnchors.get(name);
    const schema = dynamic ?? resource.anchors.get(name);
    if (schema === undefined) throw new InvalidSchema(`"${shortened(reference)}" refers to nothing`);
    return { schema, resource, dynamicName: dynamic === undefined ? null : name };
  }

  /** @param {string} uri @returns {Resource | undefined} */
  find(uri) {
    return this.#resources.get(uri);
  }

  /** @param {Resource} start @param {string} pointer @returns {Target} */
  #at(start, pointer) {
    /** @type {any} */
    let value = start.root;
    let resource = start;
    for (const step of pointer.slice(1).split('/')) {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) {
        throw new InvalidSchema(`"#${shortened(pointer)}" refers to nothing`);
      }
      value = value[key];
      if (isObject(value)) resource = this.#owners.get(value) ?? this.standard?.owner(value) ?? resource;
    }
    if (typeof value !== 'boolean' && !isObject(value)) {
      throw new InvalidSchema(`"#${shortened(pointer)}" refers to what is no schema`);
    }
    // Unknown keywords may contain schemas that are not indexed yet.
    if (isObject(value) && this.#owner(value) === undefined) {
      this.#index(value, resource);
      this.#settle();
    }
    return { schema: value, resource, dynamicName: null };
  }

  /** @param {SchemaObject} schema */
  owner(schema) {
    return this.#owners.get(schema);
  }

  /** @param {SchemaObject} schema */
  #owner(schema) {
    return this.#owners.get(schema) ?? this.standard?.owner(schema);
  }

  /** @param {unknown} schema @param {Resource} parent */
  #index(schema, parent) {
    if (!isObject(schema) || this.#owners.has(schema)) return;
    const resource = this.#opened(schema, parent);
    this.#owners.set(schema, resource);
    this.#pending.push([schema, resource]);
    for (const keyword of ONE) if (!Array.isArray(schema[keyword])) this.#index(schema[keyword], resource);
    for (const keyword of MANY) {
      if (Array.isArray(schema[keyword])) for (const part of schema[keyword]) this.#index(part, resource);
    }
    for (const keyword of NAMED) {
      if (isObject(schema[keyword])) {
        for (const part of Object.values(schema[keyword]))
          if (!Array.isArray(part)) this.#index(part, resource);
      }
    }
  }

  /** The resource that a schema opens by its `$id`, or the one that contains it; its names are recorded. @param {SchemaObject} schema @param {Resource} parent @returns {Resource} */
  #opened(schema, parent) {
    const dialect = '$schema' in schema && '$id' in schema ? dialectOf(schema['$schema']) : parent.dialect;
    let resource = parent;
    const id = schema['$id'];
    // In draft-07 a reference stands alone.
    const hasId = typeof id === 'string' && !(dialect === 'draft-07' && '$ref' in schema);
    if (hasId) {
      const [path = '', fragment = ''] = id.split(/#(.*)/s);
      if (path !== '') {
        const uri = resolveUri(path, parent.uri);
        if (this.#resources.has(uri)) throw new InvalidSchema(`"${shortened(id)}" is the $id of two schemas`);
        resource = { uri, dialect, root: schema, anchors: new Map(), dynamicAnchors: new Map() };
        this.#resources.set(uri, resource);
      }
      if (fragment !== '') this.#name(resource.anchors, decoded(fragment), schema);
    }
    if (dialect === 'draft-07') return resource;
    if (typeof schema['$anchor'] === 'string') this.#name(resource.anchors, schema['$anchor'], schema);
    if (typeof schema['$dynamicAnchor'] === 'string') {
      this.#name(resource.dynamicAnchors, schema['$dynamicAnchor'], schema);
    }
    return resource;
  }

  /** @param {Map<string, SchemaObject>} names @param {string} name @param {SchemaObject} schema */
  #name(names, name, schema) {
    if (names.has(name)) throw new InvalidSchema(`"${shortened(name)}" is the anchor of two schemas`);
    names.set(name, schema);
  }

  /** Checks all references and patterns of indexed schemas, so that an evaluation never meets a missing one. */
  #settle() {
    for (let entry = this.#pending.pop(); entry !== undefined; entry = this.#pending.pop()) {
      const [schema, resource] = entry;
      this.#watch();
      if (typeof schema['$ref'] === 'string') this.resolve(schema['$ref'], resource);
      const isNewer = resource.dialect !== 'draft-07';
      if (isNewer && typeof schema['$dynamicRef'] === 'string') this.resolve(schema['$dynamicRef'], resource);
      if (typeof schema['pattern'] === 'string') this.pattern(schema['pattern']);
      if (isObject(schema['patternProperties']))
        Object.keys(schema['patternProperties']).forEach((p) => this.pattern(p));
    }
  }
}

/** @param {string} reference @param {string} base */
function resolveUri(reference, base) {
  try {
    return new URL(reference, base).href.replace(/#$/, '');
  } catch {
    throw new InvalidSchema(`"${shortened(reference)}" is no URI reference`);
  }
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new InvalidSchema(`"${shortened(text)}" is no fragment of a URI`);
  }
}

/** @param {string} text */
const shortened = (text) => (text.length <= 80 ? text : `${text.slice(0, 79)}…`);

const require = createRequire(import.meta.url);
const VOCABULARIES = {
  '2020-12': ['core', 'applicator', 'unevaluated', 'validation', 'meta-data', 'format-annotation', 'content'],
  '2019-09': ['core', 'applicator', 'validation', 'meta-data', 'format', 'content'],
};

/** The meta-schemas from the ajv package. */
export const standard = new Document(require('ajv/dist/refs/json-schema-draft-07.json'), null);
for (const [dialect, vocabularies] of /** @type {[Dialect, string[]][]} */ (Object.entries(VOCABULARIES))) {
  const folder = `ajv/dist/refs/json-schema-${dialect}`;
  const parts = vocabularies.map((name) => require(`${folder}/meta/${name}.json`));
  standard.addAll([...parts, require(`${folder}/schema.json`)], dialect);
}

/** @param {Dialect} dialect @returns {Schema} */
export function metaSchemaOf(dialect) {
  const [uri] = /** @type {[string, Dialect]} */ ([...DIALECTS].find(([, each]) => each === dialect));
  return /** @type {Resource} */ (standard.find(uri)).root;
}
