import { DomainError } from '../../kernel/errors/domain-error.js';
import { lengthFault } from './compatibility-form.js';
import { LONGEST_PATH } from './exposure/field-path.js';
import { LONGEST_TYPE, pathsIn } from './exposure/parse-transformations.js';
import { type ProfileRules, type TagReference } from './profile-rules.js';
import { mapTags } from './tags/tag-expression.js';
import { TAG_NAME_LENGTH } from './tags/tag-name.js';
import { type TagVocabulary } from './tags/tag-vocabulary.js';

/** Names in one place of rules. */
interface NamesInRules {
  field: string;
  names: readonly string[];
  most: number;
}

/**
 * Refuses names that are too long in their compatibility form, unless they were in the rules before or are those of
 * tags. @throws VALIDATION_ERROR, INVALID_TRANSFORMATION
 */
export function refuseLongNames(rules: ProfileRules, before: ProfileRules, vocabulary: TagVocabulary): void {
  const stored = new Set([...tagNamesIn(before), ...otherNamesIn(before)].flatMap(({ names }) => names));
  const isNew = (name: string): boolean => !stored.has(name);
  const tags = tagNamesIn(rules);
  const isUnknown = (name: string): boolean => isNew(name) && vocabulary.named(name).length === 0;
  for (const { field, names, most } of tags) refuseFault(field, faultOf(names, most, isUnknown));
  for (const { field, names, most } of otherNamesIn(rules)) refuseFault(field, faultOf(names, most, isNew));
}

function faultOf(names: readonly string[], most: number, counts: (name: string) => boolean): string | null {
  for (const name of names) {
    const fault = lengthFault(name, most);
    if (fault !== null && counts(name)) return fault;
  }
  return null;
}

function refuseFault(field: string, fault: string | null): void {
  if (fault === null) return;
  if (!field.startsWith('transformations')) throw DomainError.validation(field, fault);
  throw new DomainError('INVALID_TRANSFORMATION', `${field} ${fault}`, [{ field, message: fault }]);
}

function tagNamesIn({ tag_filters, tag_expression }: ProfileRules): NamesInRules[] {
  const inExpression: TagReference[] = [];
  if (tag_expression !== null) mapTags(tag_expression, (tag) => inExpression.push(tag));
  const lists: [string, TagReference[]][] = [
    ['tag_filters.include_all', tag_filters.include_all],
    ['tag_filters.include_any', tag_filters.include_any],
    ['tag_filters.exclude_any', tag_filters.exclude_any],
    ['tag_expression', inExpression],
  ];
  return lists.map(([field, tags]) => ({
    field,
    names: tags.map(({ name }) => name),
    most: TAG_NAME_LENGTH,
  }));
}

function otherNamesIn(rules: ProfileRules): NamesInRules[] {
  const { allowed_node_types, excluded_node_types, transformations } = rules;
  return [
    { field: 'allowed_node_types', names: allowed_node_types, most: LONGEST_TYPE },
    { field: 'excluded_node_types', names: excluded_node_types, most: LONGEST_TYPE },
    ...transformations.flatMap((one, index) => [
      { field: `transformations[${index}]`, names: pathsIn(one), most: LONGEST_PATH },
      { field: `transformations[${index}]`, names: one.apply_to?.node_types ?? [], most: LONGEST_TYPE },
    ]),
  ];
}
