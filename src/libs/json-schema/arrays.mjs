// @ts-check

/** @typedef {import('./document.mjs').Schema} Schema */
/** @typedef {import('./document.mjs').SchemaObject} SchemaObject */
/** @typedef {import('./evaluation.mjs').Scope} Scope */
/** @typedef {import('./evaluation.mjs').Place} Place */

/** Keywords about arrays. @param {SchemaObject} schema @param {unknown[]} value @param {Place} place */
export function arrays(schema, value, place) {
  const { evaluation, at } = place;
  let fits = true;
  const { minItems, maxItems } = schema;
  if (value.length < minItems) fits = evaluation.fail(at, `must have at least ${minItems} items`);
  if (value.length > maxItems) fits = evaluation.fail(at, `must have at most ${maxItems} items`);
  if (
    schema['uniqueItems'] === true &&
    new Set(value.map((item) => evaluation.text(item))).size < value.length
  ) {
    fits = evaluation.fail(at, 'must not have the same item twice');
  }
  fits = items(schema, value, place) && fits;
  if ('contains' in schema) fits = contains(schema, value, place) && fits;
  if ('unevaluatedItems' in schema && place.seen.items !== true) {
    const { items: known } = place.seen;
    fits = each(schema['unevaluatedItems'], value, { ...place, skip: (index) => known.has(index) }) && fits;
  }
  return fits;
}

/** `prefixItems` and `items`; before 2020-12 `items` and `additionalItems`. @param {SchemaObject} schema @param {unknown[]} value @param {Place} place */
function items(schema, value, place) {
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
    fits =
      place.evaluation.apply(prefix[index], value[index], `${place.at}/${index}`, place.scope) !== null &&
      fits;
    if (place.seen.items !== true) place.seen.items.add(index);
  }
  if (rest === undefined || Array.isArray(rest)) return fits;
  return each(rest, value, { ...place, skip: (index) => index < prefix.length }) && fits;
}

/** @param {Schema} schema @param {unknown[]} value @param {Place & { skip: (index: number) => boolean }} place */
function each(schema, value, { evaluation, at, scope, seen, skip }) {
  let fits = true;
  for (let index = 0; index < value.length; index++) {
    if (!skip(index)) fits = evaluation.apply(schema, value[index], `${at}/${index}`, scope) !== null && fits;
  }
  seen.items = true;
  return fits;
}

/** @param {SchemaObject} schema @param {unknown[]} value @param {Place} place */
function contains(schema, value, { evaluation, at, scope, seen }) {
  const { dialect } = /** @type {NonNullable<Scope>} */ (scope).resource;
  const counts = dialect !== 'draft-07';
  const least = (counts ? schema['minContains'] : undefined) ?? 1;
  const most = (counts ? schema['maxContains'] : undefined) ?? Infinity;
  let matching = 0;
  for (let index = 0; index < value.length; index++) {
    if (evaluation.try(schema['contains'], value[index], scope) === null) continue;
    matching++;
    if (dialect === '2020-12' && seen.items !== true) seen.items.add(index);
  }
  if (matching < least) return evaluation.fail(at, `must have at least ${least} matching items`);
  return matching > most ? evaluation.fail(at, `must have at most ${most} matching items`) : true;
}
