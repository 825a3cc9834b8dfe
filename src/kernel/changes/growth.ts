import { type Change } from './change-log.js';

/** Changes that add to a graph. All others remove, restrict or decide; their bytes are counted but never refused. */
const GROWING: Readonly<Record<string, readonly string[]>> = {
  node: ['created', 'updated', 'tag_added', 'merged', 'restored'],
  embedding: ['updated'],
  relationship: ['created', 'updated', 'restored'],
  tag: ['created', 'updated'],
  schema: ['created', 'updated'],
  exposure_profile: ['created'],
  proposal: ['created', 'revised', 'ready'],
};

/** True if a write may be refused because the graph has too many bytes (rule 9.8d). */
export const growsGraph = (changes: readonly Pick<Change, 'entity' | 'action'>[]): boolean =>
  changes.some(({ entity, action }) => GROWING[entity]?.includes(action));
