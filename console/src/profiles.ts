import { type components } from '../../clients/typescript/src/schema.js';
import { authorized } from './session.js';
import { type Scope } from './words.js';

export type Profile = components['schemas']['ExposureProfileDto'];
export type NewProfile = components['schemas']['CreateProfileBody'];
export type Preview = components['schemas']['DraftPreviewDto'];

/** The notes of a preview, each with the beginning of its text. */
const SHOWN = { limit: 5, offset: 0, value_limit: 160 };

/** True for a profile that shows every note as it is: an app gets it only where the person chooses it. */
export const isTransparent = (profile: Profile): boolean => {
  const rules = { ...profile, ...profile.tag_filters } as Record<string, unknown>;
  const bounds = [
    ...['include_all', 'include_any', 'exclude_any', 'allowed_tag_ids', 'excluded_tag_ids'],
    ...['allowed_node_types', 'excluded_node_types', 'transformations'],
  ];
  const isBounded = bounds.some((name) => ((rules[name] as unknown[] | undefined) ?? []).length > 0);
  const hasDates = Boolean(profile.date_range_start ?? profile.date_range_end);
  return (
    profile.tag_permissions.read?.allow_all === true &&
    profile.max_detail_level === 'full' &&
    !isBounded &&
    !hasDates &&
    !profile.tag_expression
  );
};

/** The choices of a person who makes a profile for one app. */
export interface Selection {
  name: string;
  tagIds: string[];
  nodeTypes: string[];
}

/** A profile that shows the notes with these tags, and grants what was asked for them alone. */
export function profileFor({ name, tagIds, nodeTypes }: Selection, scopes: readonly Scope[]): NewProfile {
  const tags = { tag_ids: tagIds, allow_all: false };
  const has = (...wanted: Scope[]): boolean => wanted.some((scope) => scopes.includes(scope));
  const writes = has('graph:propose', 'graph:create', 'graph:edit', 'graph:delete');
  const none = { tag_ids: [], allow_all: false };
  return {
    name,
    tag_permissions: {
      discover: tags,
      read: has('graph:read', 'files:read') ? tags : none,
      propose: has('graph:propose') ? tags : none,
      create: has('graph:create') ? tags : none,
      edit: has('graph:edit') ? tags : none,
      delete: has('graph:delete') ? tags : none,
    },
    schema_permissions: {
      read: { schema_ids: [], allow_all: true },
      write: { schema_ids: [], allow_all: writes },
    },
    allowed_node_types: nodeTypes,
  };
}

/** An app of this service, or null for an app whose request is not its own row's (documents, dynamic clients). */
export type Ceiling = string | null;

export async function previewOf(id: string, app_id: Ceiling): Promise<Preview> {
  const { data } = await authorized().POST('/api/v1/exposure-profiles/{profile_id}/preview', {
    params: { path: { profile_id: id } },
    body: { ...SHOWN, app_id },
  });
  return data as Preview;
}

export async function previewOfNew(profile: NewProfile, app_id: Ceiling): Promise<Preview> {
  const { data } = await authorized().POST('/api/v1/exposure-profiles/preview', {
    body: { ...SHOWN, app_id, profile },
  });
  return data as Preview;
}

/** All profiles of the person. */
export async function profilesById(): Promise<Map<string, Profile>> {
  const found = new Map<string, Profile>();
  for (let offset = 0, total = 1; offset < total; offset += 100) {
    const { data } = await authorized().GET('/api/v1/exposure-profiles', {
      params: { query: { limit: 100, offset } },
    });
    if (data === undefined) break;
    total = data.total;
    for (const profile of data.exposure_profiles) found.set(profile.id, profile);
  }
  return found;
}
