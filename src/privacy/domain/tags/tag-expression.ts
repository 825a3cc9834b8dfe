import { codePoints } from '../../../kernel/text/code-points.js';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { TAG_NAME_LENGTH } from './tag-name.js';

const MAX_EXPRESSION_DEPTH = 10;
const MAX_EXPRESSION_LEAVES = 200;

export interface TagLeaf<Tag> {
  tag: Tag;
}

/** A boolean tree over tags, the tags as `Tag` (rule 3.12). */
export interface TagExpression<Tag> {
  op: 'AND' | 'OR';
  conditions: (TagExpression<Tag> | TagLeaf<Tag>)[];
}

/**
 * Reads an expression as a caller sends it: `{op, conditions}`, each condition `{tag: name}` or nested; AND
 * and OR in any case. Operators count for the depth, leaves do not. Unknown keys are refused: ignored, they
 * would widen the rule.
 * @throws VALIDATION_ERROR for any other shape, more than 10 levels or 200 leaves
 */
export function parseTagExpression(value: unknown): TagExpression<string> {
  let leaves = 0;
  const parse = (input: unknown, path: string, depth: number): TagExpression<string> | TagLeaf<string> => {
    const record = asRecord(input, path);
    if ('tag' in record && depth > 1) {
      if (++leaves > MAX_EXPRESSION_LEAVES)
        fail('tag_expression', `must not have more than ${MAX_EXPRESSION_LEAVES} leaves`);
      return { tag: parseName(record, path) };
    }
    if (depth > MAX_EXPRESSION_DEPTH)
      fail('tag_expression', `must not be deeper than ${MAX_EXPRESSION_DEPTH} operators`);
    const { op, conditions } = parseOperator(record, path);
    return { op, conditions: conditions.map((item, i) => parse(item, `${path}.conditions.${i}`, depth + 1)) };
  };
  return parse(value, 'tag_expression', 1) as TagExpression<string>;
}

/** The same tree with other tags at its leaves. */
export function mapTags<From, To>(
  expression: TagExpression<From>,
  map: (tag: From) => To,
): TagExpression<To> {
  return {
    op: expression.op,
    conditions: expression.conditions.map((part) =>
      'tag' in part ? { tag: map(part.tag) } : mapTags(part, map),
    ),
  };
}

function parseOperator(
  record: Record<string, unknown>,
  path: string,
): { op: 'AND' | 'OR'; conditions: unknown[] } {
  onlyKeys(record, ['op', 'conditions'], path);
  const op = typeof record.op === 'string' ? record.op.toUpperCase() : '';
  if (op !== 'AND' && op !== 'OR') return fail(`${path}.op`, 'must be AND or OR');
  if (!Array.isArray(record.conditions)) return fail(`${path}.conditions`, 'must be an array');
  return { op, conditions: record.conditions };
}

function parseName(record: Record<string, unknown>, path: string): string {
  onlyKeys(record, ['tag'], path);
  const name = typeof record.tag === 'string' ? record.tag.trim() : '';
  const length = codePoints(name);
  if (length < 1 || length > TAG_NAME_LENGTH)
    fail(`${path}.tag`, `must be a tag's name of 1 to ${TAG_NAME_LENGTH} characters`);
  return name;
}

function onlyKeys(record: Record<string, unknown>, known: string[], path: string): void {
  const unknown = Object.keys(record).find((key) => !known.includes(key));
  if (unknown !== undefined)
    fail(`${path}.${unknown}`, `is not a known field; a node is {op, conditions} or {tag}`);
}

function asRecord(value: unknown, path: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  return fail(path, 'must be an object');
}

function fail(field: string, message: string): never {
  throw DomainError.validation(field, message);
}
