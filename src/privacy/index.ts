export { decisions } from './http/decisions.js';
export { Accesses } from './application/accesses.service.js';
export { Authors } from './application/authors.service.js';
export { ApprovalPreviews, type GrantableProfile } from './application/approval-previews.service.js';
export { Authorizations } from './application/authorizations.service.js';
export { LoggedAuthorizations } from './http/logged-authorizations.presenter.js';
export { LivingAuthorizations } from './application/living-authorizations.service.js';
export { type IncomingShare, SharedAccesses } from './application/shared-accesses.service.js';
export {
  type AccessListener,
  AccessReports,
  type Exchange,
  type Shown,
} from './application/access-reports.js';
export { AuthorizedCounts, type AuthorizedApp, type VerbCounts } from './application/authorized-counts.js';
export { VerbCountsDto } from './http/dto/verb-counts.dto.js';
export { LastUses, type UseSpan } from './application/last-uses.js';
export { ProfileNames } from './infrastructure/profile-names.queries.js';
export { ExposureProfiles } from './application/exposure-profiles.service.js';
export { type Moment, PastAccesses } from './application/past-accesses.service.js';
export { type Viewer } from './application/past-rules.service.js';
export {
  type HypotheticalAccess,
  HypotheticalAccesses,
} from './application/hypothetical-accesses.service.js';
export { memberAccess, type SharedIn, sharedIn, sharedInAccess } from './domain/group-access.js';
export {
  NO_INCOMING_SHARES,
  type IncomingShares,
  type NamedNode,
  type SharedAccess,
  incomingSharesOf,
} from './domain/shared-access.js';
export {
  SHARE_SCOPES,
  type ShareScope,
  type ShareTerms,
  type EffectiveShare,
  effectiveShare,
} from './domain/effective-share.js';
export { KnownPeople, mayName } from './infrastructure/known-people.queries.js';
export { TagUsesQueries } from './infrastructure/tag-uses.queries.js';
export { hasEverAuthorized } from './infrastructure/authorized-apps.sql.js';
export { acquaintancesOf } from './infrastructure/acquaintances.sql.js';
export { hasBlocked, isFromBlocked } from './infrastructure/blocked-users.sql.js';
export { sharersOf } from './infrastructure/sharers.sql.js';
export { livingReshares } from './infrastructure/share-chains.sql.js';
export { SharesQueries } from './infrastructure/shares.queries.js';
export { ownerAccess } from './domain/access-of.js';
export { notAuthorized } from './domain/authorization.js';
export {
  type Access,
  haveEqualRights,
  isShownWhole,
  mayAssignTags,
  maySchema,
  nameOfFields,
  nameOfShowing,
  nameOfSight,
  type Permission,
  seesEverything,
} from './domain/access.js';
export {
  type ExposureFacts,
  type ExposureStates,
  type ShownFacts,
  type ShownStates,
} from './domain/exposure/compiled-transformation.js';
export { type ShownChanges } from './domain/exposure/field-exposure.js';
export { NODE_EXPOSURE } from './domain/exposure/node-exposure.js';
export { restoring } from './domain/exposure/restore.js';
export { type PreparedFields } from './domain/exposure/shown-fields.js';
export { grants, type TagGrant, wouldGrant } from './domain/grant-sets.js';
export {
  haveOtherRules,
  type PastAccess,
  type RuleDifference,
  ruleDifference,
} from './domain/past-access.js';
export { DETAIL_LEVELS, type DetailLevel, type ProfileRules } from './domain/profile-rules.js';
export { NODE_VERBS, type NodeVerb } from './domain/profile-visibility.js';
export { decidingRule, type RuleVerdict, type Verdict, VERDICTS, verdictsOf } from './domain/rule.js';
export { RAW_FILE_SCHEMA_ID, SYSTEM_SCHEMA_IDS } from './domain/system-schemas.js';
export { lengthFault } from './domain/compatibility-form.js';
export { nodeTypeKey, typeFault } from './domain/node-type.js';
export { alikeKey, TAG_NAME_LENGTH, tagNameKey } from './domain/tags/tag-name.js';
export { type KnownTag, TagVocabulary } from './domain/tags/tag-vocabulary.js';
export { isConcealedBy } from './domain/tags/concealing-tags.js';
export { FREEFORM, type NodeFacts, sees, type Visibility, visibility } from './domain/visibility.js';
export {
  CreateProfileBody,
  DeletedProfileDto,
  ExposureProfileDto,
  UpdateProfileBody,
} from './http/dto/exposure-profiles.dto.js';
export { presentProfile } from './http/exposure-profiles.presenter.js';
export { profileFields } from './http/profile-fields.js';
export { refuseUnstoredRules } from './http/stored-rules.js';
export { asItsMemberSees, profileNotFound, rulesOfSnapshot } from './domain/exposure-profile.js';
export { type ExposureProfile } from './domain/exposure-profile.js';
export { AccessGuard, permissionNeeded } from './http/access.guard.js';
export { accessOf, CurrentAccess, setAccess } from './http/current-access.js';
export { privacyEntities } from './infrastructure/privacy.entities.js';
export {
  carriesAnyOf,
  compileVisibility,
  hasType,
  type VisibilityColumns,
} from './infrastructure/visibility.sql.js';
export { PrivacyModule } from './privacy.module.js';
export { recipientLock } from './infrastructure/recipient-lock.js';
