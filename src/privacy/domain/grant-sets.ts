/** The tags that a verb reaches. */
export interface TagGrant {
  readonly allowAll: boolean;
  /** Ids of living tags only: a deleted tag no longer grants (rule 3.11). */
  readonly tagIds: ReadonlySet<string>;
  /** Ids that the rules name without effect: of deleted tags, which would be granted if they lived. */
  readonly endedIds?: ReadonlySet<string>;
  /** True if the grant includes tags that do not exist yet. */
  readonly allowNew: boolean;
}

/** The schemas that a verb reaches; `__freeform__` among the ids stands for nodes without one. */
export interface SchemaGrant {
  readonly allowAll: boolean;
  readonly schemaIds: ReadonlySet<string>;
}

const NO_IDS: ReadonlySet<string> = new Set();

export const NO_TAGS: TagGrant = { allowAll: false, tagIds: NO_IDS, allowNew: false };
export const ALL_TAGS: TagGrant = { allowAll: true, tagIds: NO_IDS, allowNew: true };
export const NO_SCHEMAS: SchemaGrant = { allowAll: false, schemaIds: NO_IDS };
export const ALL_SCHEMAS: SchemaGrant = { allowAll: true, schemaIds: NO_IDS };

/** True if the grant reaches this living tag. */
export const grants = ({ allowAll, tagIds }: TagGrant, tagId: string): boolean =>
  allowAll || tagIds.has(tagId);

/** True if the grant would reach this deleted tag if it lived. */
export const wouldGrant = (grant: TagGrant, tagId: string): boolean =>
  grants(grant, tagId) || grant.endedIds?.has(tagId) === true;

/** True if the grant lets anything through (rule 2.3). */
export const grantsTags = ({ allowAll, tagIds, allowNew }: TagGrant): boolean =>
  allowAll || tagIds.size > 0 || allowNew;
export const grantsSchemas = ({ allowAll, schemaIds }: SchemaGrant): boolean =>
  allowAll || schemaIds.size > 0;

export function uniteTags(grants: readonly TagGrant[]): TagGrant {
  return {
    allowAll: grants.some(({ allowAll }) => allowAll),
    tagIds: new Set(grants.flatMap(({ tagIds }) => [...tagIds])),
    endedIds: new Set(grants.flatMap(({ endedIds }) => [...(endedIds ?? NO_IDS)])),
    allowNew: grants.some(({ allowNew }) => allowNew),
  };
}

export function intersectSchemas(a: SchemaGrant, b: SchemaGrant): SchemaGrant {
  if (a.allowAll) return b;
  if (b.allowAll) return a;
  return { allowAll: false, schemaIds: new Set([...a.schemaIds].filter((id) => b.schemaIds.has(id))) };
}

/**
 * The part of `wanted` that is not in `given`: `['']` when all are wanted and not all given, else the ids.
 */
export function schemasBeyond(wanted: SchemaGrant, given: SchemaGrant): string[] {
  if (given.allowAll) return [];
  return wanted.allowAll ? [''] : [...wanted.schemaIds].filter((id) => !given.schemaIds.has(id));
}
