// @ts-check

/** @typedef {import('./document.mjs').SchemaObject} SchemaObject */
/** @typedef {import('./evaluation.mjs').Place} Place */

/** Keywords that join other schemas: all, any or one of them, none, and conditions. @param {SchemaObject} schema @param {unknown} value @param {Place} place */
export function combinations(schema, value, place) {
  const { evaluation, at, scope, seen } = place;
  let fits = true;
  if (Array.isArray(schema['allOf'])) {
    for (const part of schema['allOf']) fits = evaluation.inPlace(part, value, place) && fits;
  }
  for (const keyword of /** @type {const} */ (['anyOf', 'oneOf'])) {
    if (!Array.isArray(schema[keyword])) continue;
    let matching = 0;
    for (const part of schema[keyword]) {
      const found = evaluation.try(part, value, scope);
      if (found === null) continue;
      matching++;
      evaluation.unite(seen, found);
    }
    if (matching === 0)
      fits = evaluation.fail(
        at,
        `must match ${keyword === 'anyOf' ? 'at least' : 'exactly'} one of the alternatives`,
      );
    else if (keyword === 'oneOf' && matching > 1)
      fits = evaluation.fail(at, 'must match exactly one of the alternatives');
  }
  if ('not' in schema && evaluation.try(schema['not'], value, scope) !== null)
    fits = evaluation.fail(at, 'must not match what is excluded');
  if ('if' in schema) {
    const found = evaluation.try(schema['if'], value, scope);
    if (found !== null) evaluation.unite(seen, found);
    const branch = found === null ? 'else' : 'then';
    if (branch in schema) fits = evaluation.inPlace(schema[branch], value, place) && fits;
  }
  return fits;
}
