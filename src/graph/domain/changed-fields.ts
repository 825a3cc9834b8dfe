import { type ChangedFields } from './node.js';

/** Fields that differ between two records of one shape, whose values are plain (texts, numbers, dates left alone). */
export function changedFields<T extends object>(before: T, after: T): ChangedFields {
  const changed: ChangedFields = {};
  for (const field of Object.keys(after) as (keyof T & string)[]) {
    if (before[field] !== after[field]) changed[field] = { old: before[field], new: after[field] };
  }
  return changed;
}
