import { type ChangedFields } from '../../../kernel/change-log/changed-fields.js';
import { isSame } from '../../../kernel/json/json-values.js';
import { type Slices } from '../../../kernel/slices.js';
import { type Access, grants, type NodeFacts, RAW_FILE_SCHEMA_ID, sees } from '../../../privacy/index.js';
import { SHOWN_AS } from './changes-view.js';
import { type NodeSnapshot, prepareShown, shownOf, type WireNode } from '../../common/index.js';

/** A step of a node from one version to the next in the change log, without the contents. */
export interface StepOutline {
  action: string;
  /**
   * Stored names of the changed fields; null for a step that is not about fields: created, deleted,
   * restored.
   */
  fields: readonly string[] | null;
  before: NodeFacts;
  after: NodeFacts;
}

/** `compare`: the contents decide, see {@link changesShownContents}. */
export type VersionVisibility = 'shown' | 'hidden' | 'compare';

/**
 * Decides if a step changed anything that this caller is shown (rule 3.14e). Each step is decided by
 * itself: the states before and after it are shown by the transformations of those very states, so that no
 * later step changes the answer.
 */
export function versionVisibility(
  access: Access,
  { action, fields, before, after }: StepOutline,
): VersionVisibility {
  const { exposure, nodes } = access;
  if (!sees(nodes.read, after)) return 'hidden';
  if (fields === null || action === 'deleted' || !sees(nodes.read, before)) return 'shown';
  if (exposure.shows('tags') && changesKnownTags(access, before, after)) return 'shown';
  const contents = fields.filter((field) => field !== 'tag_ids' && isShownAt(access, field));
  const isMixed = (field: string): boolean =>
    exposure.transforms(field) || (field === 'metadata' && namesFile(access, before, after));
  if (contents.some((field) => !isMixed(field))) return 'shown';
  const isSameRule =
    exposure.worksAlike(before, after) &&
    (before.schemaId === after.schemaId || !namesFile(access, before, after));
  return contents.length === 0 && isSameRule ? 'hidden' : 'compare';
}

/** The contents of a step on which {@link versionVisibility} does not decide. */
export interface StepContents {
  after: NodeSnapshot;
  changedFields: ChangedFields;
}

/**
 * Compares the shown contents before and after the step; tags come from the outline, and their order is no
 * change.
 */
export async function changesShownContents(
  access: Access,
  { after, changedFields }: StepContents,
  slices: Slices,
): Promise<boolean> {
  const before = stateBefore(after, changedFields);
  await prepareShown([before, after], () => access, { slices });
  return !isSame(contentsOf(access, before), contentsOf(access, after));
}

/** The state before the step that led to this one. */
function stateBefore(after: NodeSnapshot, changedFields: ChangedFields): NodeSnapshot {
  const old = Object.entries(changedFields).map(([field, change]) => [field, change.old]);
  return { ...after, ...(Object.fromEntries(old) as Partial<NodeSnapshot>) };
}

function contentsOf(access: Access, state: NodeSnapshot): WireNode {
  const { tags: _order, version: _version, updated_at: _time, ...contents } = shownOf(access, state);
  return contents;
}

const isShownAt = ({ exposure }: Access, field: string): boolean => {
  const name = SHOWN_AS[field];
  return name !== undefined && exposure.shows(name);
};

/** Looks at the grant alone: a tag that was deleted since has no name, and received tags never have one. */
function changesKnownTags({ tags }: Access, before: NodeFacts, after: NodeFacts): boolean {
  const isKnown = (id: string): boolean => grants(tags.discover, id);
  return (
    before.tagIds.some((id) => isKnown(id) && !after.tagIds.includes(id)) ||
    after.tagIds.some((id) => isKnown(id) && !before.tagIds.includes(id))
  );
}

/**
 * True if the title is transformed and one of the states is a file: the name in its metadata is shown like
 * the title (see shownOf), so the schema decides how a changed title is shown.
 */
const namesFile = ({ exposure }: Access, ...states: readonly NodeFacts[]): boolean =>
  exposure.transforms('title') && states.some(({ schemaId }) => schemaId === RAW_FILE_SCHEMA_ID);
