import {
  type CompiledTransformation,
  type ExposureFacts,
  type ExposureStates,
} from './compiled-transformation.js';

type Transformations = readonly CompiledTransformation[];

/** A step of a node from one state to the next, for a caller who may not know all its tags. */
export interface ExposureStep {
  before: ExposureFacts;
  after: ExposureFacts;
  isKnownTag: (tagId: string) => boolean;
}

/** The decision of FieldExposure.loosens. */
export function loosens(
  transformations: Transformations,
  { before, after, isKnownTag }: ExposureStep,
): boolean {
  if (transformations.length === 0) return false;
  const bound = [...new Set(transformations.flatMap(({ tagIds }) => [...tagIds]))];
  const unknown = bound.filter((id) => !isKnownTag(id));
  const known = (facts: ExposureFacts) => facts.tagIds.filter(isKnownTag);
  const carrying = (facts: ExposureFacts, others: readonly string[]) => ({
    nodeType: facts.nodeType,
    tagIds: [...known(facts), ...others],
  });
  return (
    lifts(transformations, before, after) ||
    lifts(transformations, carrying(before, []), carrying(after, [])) ||
    lifts(transformations, carrying(before, unknown), carrying(after, unknown))
  );
}

/**
 * True if a transformation no longer applies; or if one newly applies ahead of another, which then meets a
 * text that it does not recognize (half of a telephone number). A value removed whole has no such effect.
 */
export function lifts(
  transformations: Transformations,
  before: ExposureStates,
  after: ExposureStates,
): boolean {
  return transformations.some((one, place) => {
    const [worked, works] = [one.concerns(before), one.concerns(after)];
    if (worked || !works) return worked && !works;
    const later = transformations.slice(place + 1);
    return !one.onlyHides && later.some((other) => other.concerns(before) && one.meets(other));
  });
}
