// @ts-check
import { isObject } from './document.mjs';

/** @typedef {import('./document.mjs').SchemaObject} SchemaObject */
/** @typedef {import('./document.mjs').Resource} Resource */
/** @typedef {import('./evaluation.mjs').Scope} Scope */
/** @typedef {import('./evaluation.mjs').Place} Place */

/** Keywords that refer to another schema: directly, or to the one with that name in the outermost resource. @param {SchemaObject} schema @param {unknown} value @param {Place} place */
export function references(schema, value, place) {
  const { evaluation, scope } = place;
  const { resource } = /** @type {NonNullable<Scope>} */ (scope);
  let fits = true;
  if (typeof schema['$ref'] === 'string') {
    fits = evaluation.inPlace(evaluation.document.resolve(schema['$ref'], resource).schema, value, place);
  }
  if (resource.dialect === '2020-12' && typeof schema['$dynamicRef'] === 'string') {
    const target = evaluation.document.resolve(schema['$dynamicRef'], resource);
    const name = target.dynamicName;
    const dynamic = name === null ? null : outermost(scope, ({ dynamicAnchors }) => dynamicAnchors.get(name));
    fits = evaluation.inPlace(dynamic ?? target.schema, value, place) && fits;
  }
  if (resource.dialect === '2019-09' && schema['$recursiveRef'] === '#') {
    const recursive = (/** @type {Resource} */ { root }) =>
      isObject(root) && root['$recursiveAnchor'] === true ? root : undefined;
    const target = recursive(resource) && outermost(scope, recursive);
    fits = evaluation.inPlace(target ?? resource.root, value, place) && fits;
  }
  return fits;
}

/** The schema from the outermost of the resources that has one. @param {Scope} scope @param {(resource: Resource) => SchemaObject | undefined} choose */
function outermost(scope, choose) {
  let found = null;
  for (let each = scope; each !== null; each = each.outer) found = choose(each.resource) ?? found;
  return found;
}
