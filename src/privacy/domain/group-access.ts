import { type Actor } from '../../kernel/request-context.js';
import { type Access, permissionsOf } from './access.js';
import { type Circumstances, ownerAccess } from './access-of.js';
import { byVerb, NO_CEILING } from './ceiling.js';
import { FieldExposure } from './exposure/field-exposure.js';
import { effective, grantedBy, type GrantingProfile, type Grants } from './profile-grants.js';
import { ALL_SCHEMAS, ALL_TAGS, grantsTags, NO_SCHEMAS, NO_TAGS } from './grant-sets.js';
import { type DetailLevel, type ProfileRules } from './profile-rules.js';
import { profileVisibilities } from './profile-visibility.js';
import { type SharedAccess } from './shared-access.js';
import { type TagVocabulary } from './tags/tag-vocabulary.js';
import { type Visibility, visibility } from './visibility.js';

/** The grants of a member without a profile: read all, write nothing (rule 10.5). */
const READING: Grants = {
  tags: { ...byVerb(() => NO_TAGS), discover: ALL_TAGS, read: ALL_TAGS },
  schemas: { read: ALL_SCHEMAS, write: NO_SCHEMAS },
};

export interface Member {
  actor: Actor;
  isAdmin: boolean;
  /** The group's profile that is assigned to the member. */
  profile: GrantingProfile | null;
  pseudonymKey: string;
}

/**
 * The access of a member to the group's graph: an admin's like an owner's, others' through the assigned
 * profile.
 */
export function memberAccess(circumstances: Circumstances, member: Member): Access {
  const { actor, isAdmin, profile } = member;
  const whole = { ...ownerAccess(circumstances, actor), receives: false };
  if (isAdmin) return whole;
  if (profile === null) {
    return {
      ...whole,
      isOwner: false,
      nodes: {
        read: visibility.all,
        propose: visibility.none,
        edit: visibility.none,
        delete: visibility.none,
      },
      ...READING,
      permissions: permissionsOf(READING, { nodes: true, files: true }),
    };
  }
  return { ...whole, isOwner: false, ...through(profile, circumstances.vocabulary, member.pseudonymKey) };
}

function through(profile: GrantingProfile, vocabulary: TagVocabulary, pseudonymKey: string) {
  const { rules } = profile;
  const granted = grantedToMember(profile, vocabulary);
  const reaching = effective(NO_CEILING, granted);
  const reads = grantsTags(granted.tags.read) || rules.allowed_node_ids.length > 0;
  return {
    nodes: profileVisibilities({ rules, vocabulary, ceiling: NO_CEILING, granted }),
    ...reaching,
    permissions: permissionsOf(reaching, { nodes: reads, files: reads }),
    exposure: new FieldExposure({
      detail: rules.max_detail_level,
      transformations: rules.transformations,
      pseudonymKey,
    }),
  };
}

/** A profile that does not mention `delete` lets members delete nothing, unlike apps (rule 3.8). */
function grantedToMember(profile: GrantingProfile, vocabulary: TagVocabulary): Grants {
  const granted = grantedBy(profile, vocabulary);
  if (profile.rules.tag_permissions.delete !== undefined) return granted;
  return { ...granted, tags: { ...granted.tags, delete: NO_TAGS } };
}

/** The grants of a sharer's own profile to the members of a group, the same for every reader. */
export interface SharedIn {
  rules: ProfileRules;
  nodes: Visibility;
  discover: Access['tags']['discover'];
}

export function sharedIn(profile: GrantingProfile, vocabulary: TagVocabulary): SharedIn {
  const { rules } = profile;
  const granted = grantedBy(profile, vocabulary);
  return {
    rules,
    nodes: profileVisibilities({ rules, vocabulary, ceiling: NO_CEILING, granted }).read,
    discover: effective(NO_CEILING, granted).tags.discover,
  };
}

/**
 * The access of a member to the nodes that another member shares with the group: through the sharer's
 * profile, then through the reader's own, and never for writing (rule 10.5).
 * @param reader the access to the group's graph
 * @param rules the rules of the reader's profile, if the reader's access goes through one
 */
export function sharedInAccess(
  reader: Access,
  { circumstances, given }: { circumstances: Circumstances; given: SharedIn },
  { rules, pseudonymKey }: { rules: ProfileRules | null; pseudonymKey: string },
): SharedAccess {
  const { none, and } = visibility;
  return {
    ...reader,
    ...circumstances,
    isOwner: false,
    isReceived: true,
    receives: false,
    granted: given.nodes,
    nodes: { read: and(reader.nodes.read, given.nodes), propose: none, edit: none, delete: none },
    // To the reader's profile these nodes count as untagged: names of tags pass only where all do.
    tags: { ...byVerb(() => NO_TAGS), discover: reader.tags.discover.allowAll ? given.discover : NO_TAGS },
    schemas: { read: ALL_SCHEMAS, write: NO_SCHEMAS },
    permissions: new Set(),
    exposure: new FieldExposure({
      detail: lower(given.rules.max_detail_level, rules?.max_detail_level ?? 'full'),
      transformations: [...given.rules.transformations, ...(rules?.transformations ?? [])],
      pseudonymKey,
    }),
  };
}

const LEVELS: readonly DetailLevel[] = ['minimal', 'summary', 'full'];
const lower = (a: DetailLevel, b: DetailLevel): DetailLevel =>
  LEVELS.indexOf(a) < LEVELS.indexOf(b) ? a : b;
