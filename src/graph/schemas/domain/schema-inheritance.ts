import { isObject, isSame } from '../../../kernel/json/json-values.js';
import { type JsonObject } from '../../common/index.js';

/** Keywords whose members are united by name, the child's before the parent's. */
const UNITED = ['properties', '$defs', 'definitions'];
const PATTERNS = 'patternProperties';
/** Keywords of the child, else of the parent. They refer to their siblings, so they stay at the top. */
const CHILD_ELSE_PARENT = [
  'additionalProperties',
  'unevaluatedProperties',
  '$schema',
  '$id',
  '$anchor',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'x-assert-formats',
];
/** Keywords that have a meaning only together. */
const GROUPS = [
  ['if', 'then', 'else'],
  ['contains', 'minContains', 'maxContains'],
  ['items', 'prefixItems', 'additionalItems', 'unevaluatedItems'],
];

const MERGED = new Set([...UNITED, PATTERNS, ...CHILD_ELSE_PARENT, 'required', 'allOf']);

/**
 * Merges a schema with its parent (rule 5.3): both must hold, except where the child redefines a property.
 * Keywords that both have are both kept, the parent's below `allOf`.
 */
export function inherited(parent: JsonObject, child: JsonObject): JsonObject {
  const { ours, kept } = overridden(parent, child);
  const merged: JsonObject = { ...ours, ...child };
  for (const keyword of UNITED) {
    const [above, below] = [parent[keyword], child[keyword]];
    if (isObject(above) && isObject(below)) merged[keyword] = { ...above, ...below };
  }
  const [above, below] = [parent[PATTERNS], child[PATTERNS]];
  if (isObject(above) && isObject(below)) merged[PATTERNS] = bothPatterns(above, below);
  const required = [parent['required'], child['required']].filter(Array.isArray).flat() as unknown[];
  if (required.length > 0) merged['required'] = [...new Set(required)];
  const conditions = [parent['allOf'], child['allOf']].filter(Array.isArray).flat() as unknown[];
  if (kept !== null) conditions.push(kept);
  // Before 2019-09 a reference disables its siblings.
  if ('$ref' in merged) {
    conditions.push({ $ref: merged['$ref'] });
    delete merged['$ref'];
  }
  if (conditions.length > 0) merged['allOf'] = conditions;
  return merged;
}

/**
 * Pattern properties stay at the top, because `additionalProperties` refers to its siblings; under the same
 * pattern both hold.
 */
function bothPatterns(parent: JsonObject, child: JsonObject): JsonObject {
  const merged = { ...parent, ...child };
  for (const [pattern, below] of Object.entries(child)) {
    const above = parent[pattern];
    if (Object.hasOwn(parent, pattern) && !isSame(above, below)) merged[pattern] = { allOf: [above, below] };
  }
  return merged;
}

/**
 * The parent's keywords that stay beside the child's, and those that the child's would replace (null:
 * none).
 */
function overridden(parent: JsonObject, child: JsonObject): { ours: JsonObject; kept: JsonObject | null } {
  const ours = { ...parent };
  const kept: JsonObject = {};
  for (const [keyword, value] of Object.entries(parent)) {
    const group = GROUPS.find((members) => members.includes(keyword)) ?? [keyword];
    const clashes = group.some((member) => member in child);
    if (MERGED.has(keyword) || !clashes || isSame(value, child[keyword])) continue;
    for (const member of group) {
      if (member in parent) kept[member] = parent[member];
      delete ours[member];
    }
  }
  return { ours, kept: Object.keys(kept).length === 0 ? null : kept };
}
