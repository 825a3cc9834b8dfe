import { type components } from '../../clients/typescript/src/schema.js';
import { type Authorization, type ConsentRequest } from './oauth.js';
import { authorized } from './session.js';
import { type Scope } from './words.js';

export type Profile = components['schemas']['ExposureProfileDto'];
type NewProfile = components['schemas']['CreateProfileBody'];
type Preview = components['schemas']['DraftPreviewDto'];
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
  /** The app that is connected with this; absent for one that asks. */
  appId?: string;
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
  const params = { path: { profile_id: profile.id } };
  if (wanted.appId !== undefined) return previewFor(params, { ...SHOWN, app_id: wanted.appId });
  const read = bothOf(listOf(profile.schema_permissions.read), readable(wanted));
  const schema_permissions = { read, write: listOf(profile.schema_permissions.write) };
  return previewFor(params, { ...SHOWN, profile: { schema_permissions } });
}

async function previewFor(
  params: { path: { profile_id: string } },
  body: components['schemas']['PreviewBody'],
): Promise<Preview> {
  const { data } = await authorized().POST('/api/v1/exposure-profiles/{profile_id}/preview', {
    params,
    body,
  });
  return data as Preview;
}

/** The same through one that is not saved. */
export async function previewOfNew(profile: NewProfile, wanted: Wanted): Promise<Preview> {
  const named = { ...profile, name: profile.name || 'New' };
  const schema_permissions = { ...profile.schema_permissions, read: readable(wanted) };
  const { data } = await authorized().POST('/api/v1/exposure-profiles/preview', {
    body:
      wanted.appId === undefined
        ? { ...SHOWN, profile: { ...named, schema_permissions } }
        : { ...SHOWN, app_id: wanted.appId, profile: named },
  });
  return data as Preview;
}

function bothOf(one: SchemaList, other: SchemaList): SchemaList {
  if (one.allow_all) return other;
  if (other.allow_all) return one;
  return { schema_ids: one.schema_ids.filter((id) => other.schema_ids.includes(id)), allow_all: false };
}

/** The profiles of a person, with what their descriptions name. */
export interface Profiles {
  byId: ReadonlyMap<string, Profile>;
  tagNames: ReadonlyMap<string, string>;
  /** The apps that are connected, each with its profile. */
  connected: readonly Authorization[];
}

export async function allProfiles(): Promise<Profiles> {
  const [byId, tagNames, connected] = await Promise.all([profilesById(), tagNamesById(), connectedApps()]);
  return { byId, tagNames, connected };
}

async function profilesById(): Promise<Map<string, Profile>> {
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

/** Pages of 200 tags; those after the last one are counted in descriptions, not named. */
const MOST_PAGES = 5;

async function tagNamesById(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let page = 1, pages = 1; page <= Math.min(pages, MOST_PAGES); page++) {
    const query = { access: 'owned' as const, per_page: 200, page };
    const { data } = await authorized().GET('/api/v1/tags', { params: { query } });
    pages = Math.ceil((data?.total ?? 0) / 200);
    for (const { id, name } of data?.tags ?? []) found.set(id, name);
  }
  return found;
}

async function connectedApps(): Promise<Authorization[]> {
  const query = { status: 'active' as const, limit: 100 };
  const { data } = await authorized().GET('/api/v1/authorizations', { params: { query } });
  return data?.authorizations ?? [];
}

/** Saves a profile that was made on the spot. @returns its id */
export async function saveProfile(body: NewProfile): Promise<string> {
  const { data } = await authorized().POST('/api/v1/exposure-profiles', { body });
  return data?.id ?? '';
}

/** Removes one that was saved for a step which then failed. */
export async function dropProfile(profile_id: string): Promise<void> {
  await authorized().DELETE('/api/v1/exposure-profiles/{profile_id}', { params: { path: { profile_id } } });
}

const VERBS = {
  'graph:discover': 'discover',
  'graph:read': 'read',
  'files:read': 'read',
  'graph:propose': 'propose',
  'graph:create': 'create',
  'graph:edit': 'edit',
  'graph:delete': 'delete',
} as const;

/** The scopes that a profile grants nothing of. */
export const lackedBy = ({ is_active, tag_permissions: tags }: Profile, scopes: readonly Scope[]): Scope[] =>
  scopes.filter((scope) => {
    const granted = tags[VERBS[scope]] ?? tags.edit;
    return !is_active || !(granted.allow_all || granted.tag_ids.length > 0);
  });
