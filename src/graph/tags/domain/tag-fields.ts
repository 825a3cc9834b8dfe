import { hasUnseen, NAME_IS_SEEN } from '../../../kernel/text/unseen-characters.js';
import { type FieldError } from '../../../kernel/errors/domain-error.js';
import { like, violations, object, orNull, STRING, text } from '../../common/index.js';
import { lengthFault, TAG_NAME_LENGTH } from '../../../privacy/index.js';
import { TAG_COLOR, TAG_LIMITS } from './tag.js';

const BODY = object({
  name: text(1, TAG_NAME_LENGTH),
  color: orNull(like(TAG_COLOR, 'must be #RRGGBB')),
  category: orNull(text(0, TAG_LIMITS.category)),
  description: orNull(text(0, TAG_LIMITS.description)),
  parent_tag_id: orNull(STRING),
});

/** All errors in the fields of a tag; only present ones are checked. Accepts any value. */
export const tagFieldErrors = (body: { name?: unknown }): FieldError[] =>
  violations(typeof body.name === 'string' ? { ...body, name: body.name.trim() } : body, BODY, '');

/** The reason why no tag can take this name any longer; null if one can (rules 1.17 and 4.14a). */
export const nameFault = (name: string): string | null =>
  hasUnseen(name) ? NAME_IS_SEEN : lengthFault(name, TAG_NAME_LENGTH);
