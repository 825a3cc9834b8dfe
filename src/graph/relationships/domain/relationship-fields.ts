import { type FieldError } from '../../../kernel/errors/domain-error.js';
import { between, GRAPH_VIEWS, violations, object, oneOf, orNull, text } from '../../common/index.js';
import { RELATIONSHIP_LIMITS } from './relationship.js';

const FIELDS = {
  relationship_type: text(1, RELATIONSHIP_LIMITS.type),
  strength: orNull(between(0, 1)),
  confidence: orNull(between(0, 1)),
  context: orNull(text(0, RELATIONSHIP_LIMITS.context)),
  graph_view: oneOf(...GRAPH_VIEWS),
  emotion_type: orNull(text(0, RELATIONSHIP_LIMITS.emotionType)),
  sentiment_score: orNull(between(-1, 1)),
};

const BODY = object(FIELDS);

/** The fields of a relationship that may change; its ends never change. */
export const RELATIONSHIP_FIELDS: readonly string[] = Object.keys(FIELDS);

/** All errors in the fields of a relationship; only present ones are checked. Accepts any value. */
export const relationshipFieldErrors = (body: unknown): FieldError[] => violations(body, BODY, '');
