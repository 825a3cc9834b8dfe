import { type Actor } from '../../kernel/request-context.js';
import { type Access, type Permission, PERMISSIONS, permissionsOf } from './access.js';
import { byVerb, type Ceiling } from './ceiling.js';
import { FieldExposure } from './exposure/field-exposure.js';
import { effective, grantedBy, type GrantingProfile } from './granted.js';
import { ALL_SCHEMAS, ALL_TAGS, grantsTags } from './grants.js';
import { profileVisibilities } from './profile-visibility.js';
import { type TagVocabulary } from './tag-vocabulary.js';
import { visibility } from './visibility.js';

/** What the decision was made of, besides the rules. */
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

/** Everything of one's own graph (decisions 1.12). */
export function ownerAccess(circumstances: Circumstances, actor?: Actor): Access {
  return {
    ...circumstances,
    actor: actor ?? { type: 'user', userId: circumstances.ownerId, appId: null },
    isOwner: true,
    isReceived: false,
    receives: true,
    nodes: ALL_NODES,
    ...ALL_GRANTS,
    permissions: ALL_PERMISSIONS,
    exposure: FieldExposure.full,
  };
}

/** Requested ∩ granted for an app acting for a user. */
export function appAccess(
  circumstances: Circumstances,
  {
    appId,
    profile,
    ceiling,
    pseudonymKey,
  }: { appId: string; profile: GrantingProfile; ceiling: Ceiling; pseudonymKey: string },
): Access {
  const { rules } = profile;
  const granted = grantedBy(profile, circumstances.vocabulary);
  const reaching = effective(ceiling, granted);
  const hasReadable = grantsTags(granted.tags.read) || rules.allowed_node_ids.length > 0;
  return {
    ...circumstances,
    actor: { type: 'app', userId: circumstances.ownerId, appId },
    isOwner: false,
    isReceived: false,
    receives: true,
    nodes: profileVisibilities({ rules, vocabulary: circumstances.vocabulary, ceiling, granted }),
    ...reaching,
    permissions: permissionsOf(reaching, {
      nodes: ceiling.tags.read && hasReadable,
      files: ceiling.files && hasReadable,
    }),
    exposure: new FieldExposure({
      detail: rules.max_detail_level,
      transformations: rules.transformations,
      pseudonymKey,
    }),
  };
}
