import { type components } from '../../clients/typescript/src/schema.js';
import { type ConsentRequest } from './oauth.js';
import { authorized } from './session.js';
import { type Scope } from './words.js';

export type Profile = components['schemas']['ExposureProfileDto'];
export type NewProfile = components['schemas']['CreateProfileBody'];
export type Preview = components['schemas']['DraftPreviewDto'];
type SchemaList = { schema_ids: string[]; allow_all: boolean };

/** The notes of a preview, each with the beginning of its text. */
const SHOWN = { limit: 5, offset: 0, value_limit: 160 };
/** Files are nodes of this schema. */
const FILES: SchemaList = { schema_ids: ['system:RawFile'], allow_all: false };

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
  /** True for all notes, also later ones; else those with one of the tags. */
  isAll: boolean;
  tagIds: string[];
  nodeTypes: string[];
}

/** A request for access, as far as profiles are concerned: its schemas, and the scopes that are left checked. */
export interface Wanted {
  schemas: ConsentRequest['permissions']['schemas'];
  scopes: readonly Scope[];
}

const listOf = (list: Partial<SchemaList> | undefined): SchemaList => ({
  schema_ids: list?.schema_ids ?? [],
  allow_all: list?.allow_all ?? false,
});

/** The schemas whose notes the app may read by its request. */
const readable = ({ schemas, scopes }: Wanted): SchemaList =>
  scopes.includes('graph:read') ? listOf(schemas?.read) : FILES;

/** A profile that shows all notes, or those with these tags, and grants what was asked for them alone. */
export function profileFor({ name, isAll, tagIds, nodeTypes }: Selection, wanted: Wanted): NewProfile {
  const tags = { tag_ids: isAll ? [] : tagIds, allow_all: isAll };
  const none = { tag_ids: [], allow_all: false };
  const granted = (...scopes: Scope[]) => (scopes.some((one) => wanted.scopes.includes(one)) ? tags : none);
  return {
    name: name.trim(),
    tag_permissions: {
      discover: tags,
      read: granted('graph:read', 'files:read'),
      propose: granted('graph:propose'),
      create: granted('graph:create'),
      edit: granted('graph:edit'),
      delete: granted('graph:delete'),
    },
    schema_permissions: { read: listOf(wanted.schemas?.read), write: listOf(wanted.schemas?.write) },
    allowed_node_types: nodeTypes,
  };
}

/** The notes that an app with this request would see through a saved profile. */
export async function previewOf(profile: Profile, wanted: Wanted): Promise<Preview> {
  const read = bothOf(listOf(profile.schema_permissions.read), readable(wanted));
  const { data } = await authorized().POST('/api/v1/exposure-profiles/{profile_id}/preview', {
    params: { path: { profile_id: profile.id } },
    body: {
      ...SHOWN,
      profile: { schema_permissions: { read, write: listOf(profile.schema_permissions.write) } },
    },
  });
  return data as Preview;
}

/** The same through one that is not saved. */
export async function previewOfNew(profile: NewProfile, wanted: Wanted): Promise<Preview> {
  const schema_permissions = { ...profile.schema_permissions, read: readable(wanted) };
  const { data } = await authorized().POST('/api/v1/exposure-profiles/preview', {
    body: { ...SHOWN, profile: { ...profile, name: profile.name || 'New', schema_permissions } },
  });
  return data as Preview;
}

function bothOf(one: SchemaList, other: SchemaList): SchemaList {
  if (one.allow_all) return other;
  if (other.allow_all) return one;
  return { schema_ids: one.schema_ids.filter((id) => other.schema_ids.includes(id)), allow_all: false };
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
