import { type Actor } from '../../kernel/request-context.js';
import { type Access, type Permission, PERMISSIONS, permissionsOf } from './access.js';
import { byVerb, type Ceiling } from './ceiling.js';
import { FieldExposure } from './exposure/field-exposure.js';
import { effective, grantedBy, type GrantingProfile } from './profile-grants.js';
import { ALL_SCHEMAS, ALL_TAGS, grantsTags } from './grant-sets.js';
import { expressionsOf, hidesByTags, type NodeVerb, profileRules } from './profile-visibility.js';
import { type Rule } from './rule.js';
import { type TagVocabulary } from './tags/tag-vocabulary.js';
import { visibility } from './visibility.js';

/** The inputs of a decision, besides the rules. */
export interface Circumstances {
  ownerId: string;
  vocabulary: TagVocabulary;
  /** Names all inputs of the decision in their present state. */
  key: string;
  changes: number;
  policy: number;
}

const ALL_NODES = {
  read: visibility.all,
  propose: visibility.all,
  edit: visibility.all,
  delete: visibility.all,
};
const ALL_GRANTS = { tags: byVerb(() => ALL_TAGS), schemas: { read: ALL_SCHEMAS, write: ALL_SCHEMAS } };
const ALL_PERMISSIONS: ReadonlySet<Permission> = new Set(PERMISSIONS);

/** The owner's access: everything in their own graph (rule 1.12). */
export function ownerAccess(circumstances: Circumstances, actor?: Actor): Access {
  return {
    ...circumstances,
    actor: actor ?? { type: 'user', userId: circumstances.ownerId, appId: null },
    isUserKey: false,
    isOwner: true,
    isReceived: false,
    receives: true,
    nodes: ALL_NODES,
    ...ALL_GRANTS,
    permissions: ALL_PERMISSIONS,
    exposure: FieldExposure.full,
  };
}

/** The terms by which an app acts for a user. */
export interface AppTerms {
  appId: string;
  appName?: string;
  authorizationId?: string;
  /** Default false: the app itself. */
  isUserKey?: boolean;
  profile: GrantingProfile;
  ceiling: Ceiling;
  pseudonymKey: string;
}

/** The access of an app acting for a user: requested ∩ granted. */
export const appAccess = (circumstances: Circumstances, terms: AppTerms): Access =>
  explainedAppAccess(circumstances, terms).access;

/** The access of an app, and the rules that its visibilities express. */
export function explainedAppAccess(
  circumstances: Circumstances,
  { appId, appName, authorizationId, isUserKey = false, profile, ceiling, pseudonymKey }: AppTerms,
): { access: Access; rules: Record<NodeVerb, Rule> } {
  const { rules: fields } = profile;
  const { vocabulary } = circumstances;
  const granted = grantedBy(profile, vocabulary);
  const reaching = effective(ceiling, granted);
  const hasReadable =
    profile.isActive && (grantsTags(granted.tags.read) || fields.allowed_node_ids.length > 0);
  const rules = profileRules({ rules: fields, vocabulary, ceiling, granted });
  const access: Access = {
    ...circumstances,
    actor: {
      type: 'app',
      userId: circumstances.ownerId,
      appId,
      ...(appName === undefined ? {} : { appName }),
    },
    ...(authorizationId === undefined ? {} : { authorizationId }),
    isUserKey,
    isOwner: false,
    isReceived: false,
    receives: !hidesByTags(fields),
    nodes: expressionsOf(rules),
    ...reaching,
    permissions: permissionsOf(reaching, {
      nodes: ceiling.tags.read && hasReadable,
      files: ceiling.files && hasReadable,
    }),
    exposure: new FieldExposure({
      detail: fields.max_detail_level,
      transformations: fields.transformations,
      pseudonymKey,
    }),
  };
  return { access, rules };
}
