import { type FieldError } from '../../../kernel/errors/domain-error.js';
import {
  DATE,
  type IdentityType,
  INTEGER,
  type JsonObject,
  violations,
  object,
  oneOf,
  type Shape,
  STRING,
} from '../../common/index.js';

/** Type-specific `metadata.properties` of identity nodes (specification, Node). */
const SHAPES: Readonly<Record<IdentityType, Shape>> = {
  EXPERIENCE: object({
    when: object({
      type: oneOf('instance', 'series'),
      status: oneOf('done', 'ongoing', 'future'),
      start: DATE,
      end: DATE,
    }),
    where: STRING,
    significance: STRING,
  }),
  BELIEF: object({
    category: oneOf('about_self', 'about_world'),
    strength_of_belief: INTEGER,
    status: oneOf('active', 'outdated'),
  }),
  ENTITY: object({
    name: STRING,
    category: oneOf('person', 'place', 'idea', 'practice', 'community', 'organization'),
  }),
  GOAL: object({
    motivation: STRING,
    time_horizon: oneOf('immediate', 'short_term', 'long_term', 'lifelong'),
    status: oneOf('active', 'paused', 'achieved', 'abandoned'),
  }),
};

/**
 * The violations of the shape of an identity type. A key is checked when it is present; other keys are free
 * (rule 4.3).
 */
export function identityShapeErrors(type: IdentityType, metadata: JsonObject | null): FieldError[] {
  const properties = metadata?.['properties'];
  return properties === undefined ? [] : violations(properties, SHAPES[type], 'metadata.properties');
}
