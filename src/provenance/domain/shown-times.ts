import { type Access } from '../../privacy/index.js';

interface Timed {
  changed_at: Date;
  tag_ids: readonly string[];
  node_type: string;
}

/** When a version was made, as the caller is shown it: the `updated_at` of that version (decisions 3.15). */
export function changedAtShown({ exposure }: Access, { changed_at, tag_ids, node_type }: Timed): Date {
  const facts = { tagIds: tag_ids, nodeType: node_type };
  return new Date(exposure.transformValue('updated_at', changed_at.toISOString(), facts) as string);
}
