// @ts-check
import { isObject } from './document.mjs';

/** @typedef {import('./document.mjs').SchemaObject} SchemaObject */
/** @typedef {import('./evaluation.mjs').Scope} Scope */
/** @typedef {import('./evaluation.mjs').Place} Place */

/** Keywords about objects. @param {SchemaObject} schema @param {SchemaObject} value @param {Place} place */
export function objects(schema, value, place) {
  const { evaluation, at, scope } = place;
  const keys = Object.keys(value);
  evaluation.spend(keys.length);
  let fits = members(schema, value, place);
  const { minProperties, maxProperties, required } = schema;
  if (keys.length < minProperties) fits = evaluation.fail(at, `must have at least ${minProperties} members`);
  if (keys.length > maxProperties) fits = evaluation.fail(at, `must have at most ${maxProperties} members`);
  if (Array.isArray(required)) {
    evaluation.spend(required.length);
    for (const key of required)
      if (!Object.hasOwn(value, key)) fits = evaluation.fail(below(at, key), 'is required');
  }
  if ('propertyNames' in schema) {
    for (const key of keys) {
      if (evaluation.try(schema['propertyNames'], key, scope) === null)
        fits = evaluation.fail(below(at, key), 'is not allowed as a name');
    }
  }
  fits = dependencies(schema, value, place) && fits;
  const { names } = place.seen;
  if ('unevaluatedProperties' in schema && names !== true) {
    for (const key of keys) {
      if (!names.has(key))
        fits =
          evaluation.apply(schema['unevaluatedProperties'], value[key], below(at, key), scope) !== null &&
          fits;
    }
    place.seen.names = true;
  }
  return fits;
}

/** `properties`, `patternProperties`, `additionalProperties`. @param {SchemaObject} schema @param {SchemaObject} value @param {Place} place */
function members(schema, value, { evaluation, at, scope, seen }) {
  const { properties, patternProperties } = schema;
  const patterns = isObject(patternProperties) ? Object.keys(patternProperties) : [];
  let fits = true;
  for (const [key, member] of Object.entries(value)) {
    const schemas = isObject(properties) && Object.hasOwn(properties, key) ? [properties[key]] : [];
    for (const pattern of patterns)
      if (evaluation.matches(pattern, key)) schemas.push(patternProperties[pattern]);
    if (schemas.length === 0 && 'additionalProperties' in schema)
      schemas.push(schema['additionalProperties']);
    for (const each of schemas) fits = evaluation.apply(each, member, below(at, key), scope) !== null && fits;
    if (schemas.length > 0 && seen.names !== true) seen.names.add(key);
  }
  return fits;
}

/** @param {SchemaObject} schema @param {SchemaObject} value @param {Place} place */
function dependencies(schema, value, place) {
  const isOld = /** @type {NonNullable<Scope>} */ (place.scope).resource.dialect === 'draft-07';
  let fits = true;
  for (const keyword of isOld ? ['dependencies'] : ['dependentSchemas', 'dependentRequired']) {
    if (!isObject(schema[keyword])) continue;
    for (const [key, wanted] of Object.entries(schema[keyword])) {
      place.evaluation.spend();
      if (!Object.hasOwn(value, key)) continue;
      if (!Array.isArray(wanted)) fits = place.evaluation.inPlace(wanted, value, place) && fits;
      else
        for (const name of wanted)
          if (!Object.hasOwn(value, name)) fits = place.evaluation.fail(below(place.at, name), 'is required');
    }
  }
  return fits;
}

/** @param {string} at @param {string} key */
const below = (at, key) => `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
