import { DomainError } from '../../kernel/errors/domain-error.js';
import { isId } from '../../kernel/ids.js';
import { isObject, isSame } from '../../kernel/json/json-values.js';
import { bind } from '../../kernel/http/bodies/binding.js';
import { type NamedRules, type ProfileRules, type TagReference } from '../domain/profile-rules.js';
import { mapTags } from '../domain/tags/tag-expression.js';
import { readRules } from '../domain/written-rules.js';
import { UpdateProfileBody } from './dto/exposure-profiles.dto.js';
import { profileFields } from './profile-fields.js';

/**
 * Throws unless these are rules in the form in which they are stored, as an archive brings them: written by
 * their names they must come out the very same. @throws VALIDATION_ERROR, INVALID_TRANSFORMATION
 */
export function refuseUnstoredRules(value: unknown): asserts value is ProfileRules {
  const named = namedFrom(value);
  const read = readRules(profileFields(bind(UpdateProfileBody, named)).rules);
  if (!isSame(JSON.parse(JSON.stringify(named)), JSON.parse(JSON.stringify(read)))) throw noRules();
}

function namedFrom(value: unknown): NamedRules {
  try {
    const { tag_filters, tag_expression, ...rest } = value as ProfileRules;
    const names = (references: TagReference[]): string[] => references.map(nameOf);
    return {
      ...rest,
      tag_filters: {
        ...tag_filters,
        include_all: names(tag_filters.include_all),
        include_any: names(tag_filters.include_any),
        exclude_any: names(tag_filters.exclude_any),
      },
      tag_expression: tag_expression && mapTags(tag_expression, nameOf),
    };
  } catch {
    // Any other failure also means that these are not rules.
    throw noRules();
  }
}

function nameOf(reference: unknown): string {
  if (!isObject(reference) || Object.keys(reference).length !== 2) throw noRules();
  const { id, name } = reference;
  if (typeof name !== 'string' || (id !== null && !isId(id))) throw noRules();
  return name;
}

const noRules = (): DomainError => DomainError.validation('rules', 'are not the rules of a profile');
