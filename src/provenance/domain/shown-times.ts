import { type Access, type ShownStates } from '../../privacy/index.js';

/** The time of a version as the caller is shown it: the `updated_at` of that version (rule 3.15). */
export function changedAtShown(
  { exposure }: Access,
  { changed_at }: { changed_at: Date },
  states: ShownStates,
): Date {
  return new Date(exposure.transformValue('updated_at', changed_at.toISOString(), states) as string);
}
