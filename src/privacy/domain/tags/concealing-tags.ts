import { type Access } from '../access.js';
import { type Visibility } from '../visibility.js';

/**
 * True if carrying this tag hides something from the caller: their rules exclude it, or bind a transformation
 * to it (rule 3.11e).
 */
export const isConcealedBy = ({ nodes, exposure }: Access, tagId: string): boolean =>
  exposure.isBoundTo(tagId) || excludes(nodes.read, tagId, false);

function excludes(expression: Visibility, tagId: string, isNegated: boolean): boolean {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.parts.some((part) => excludes(part, tagId, isNegated));
    case 'not':
      return excludes(expression.part, tagId, !isNegated);
    case 'tagged-any':
    case 'tagged-all':
      return isNegated && expression.tagIds.includes(tagId);
    default:
      return false;
  }
}
