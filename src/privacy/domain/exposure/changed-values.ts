import { type Steps } from '../../../kernel/slices.js';
import { type CompiledTransformation, type ShownStates } from './compiled-transformation.js';
import { type Origin } from './value-walk.js';
import { REMOVED } from './leaves.js';
import { isLong } from './long-values.js';

/** The thing that is in these states. */
export const idOf = (states: ShownStates): string => ('id' in states ? states.id : (states[0]?.id ?? ''));

/** The same as {@link changed}, in steps. */
export function* changing(
  working: readonly CompiledTransformation[],
  { path, id }: Origin,
  value: unknown,
): Steps<unknown> {
  let current = value;
  for (const transformation of working) {
    if (current === REMOVED) break;
    current = yield* transformation.applying(path, current, id);
  }
  return current;
}

/**
 * Applies each transformation to the result of the one before it, in one go.
 * @throws Error for a long value: others would wait for as long as a caller likes
 */
export function changed(
  working: readonly CompiledTransformation[],
  { path, id }: Origin,
  value: unknown,
): unknown {
  if (isLong(value, working) && isLong(value, reaching(working, path)))
    throw new Error(`a long ${path[0]} must be prepared, or shown in slices`);
  let current = value;
  for (const transformation of working) {
    if (current === REMOVED) break;
    current = transformation.apply(path, current, id);
  }
  return current;
}

const reaching = (
  working: readonly CompiledTransformation[],
  path: readonly string[],
): CompiledTransformation[] => working.filter((transformation) => transformation.reaches(path));
