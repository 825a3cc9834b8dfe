import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/index.js';
import { Accesses } from './application/accesses.service.js';
import { ApprovalPreviews } from './application/approval-previews.service.js';
import { LivingAuthorizations } from './application/living-authorizations.service.js';
import { Authors } from './application/authors.service.js';
import { AuthorizationRecords } from './application/authorization-records.js';
import { Authorizations } from './application/authorizations.service.js';
import { CallersAsApps } from './application/callers-as-apps.service.js';
import { DerivedUsers } from './application/derived-users.service.js';
import { AccessReports } from './application/access-reports.js';
import { ExposureProfiles } from './application/exposure-profiles.service.js';
import { AuthorizedCounts } from './application/authorized-counts.js';
import { LastUses } from './application/last-uses.js';
import { Onlookers } from './application/onlookers.service.js';
import { PastAccesses } from './application/past-accesses.service.js';
import { PastRules } from './application/past-rules.service.js';
import { SharedAccesses } from './application/shared-accesses.service.js';
import { HypotheticalAccesses } from './application/hypothetical-accesses.service.js';
import { ProfileReferences } from './application/profile-references.js';
import { AccessGuard } from './http/access.guard.js';
import { AppSessionsController } from './http/app-sessions.controller.js';
import { AuthorizationPresenter } from './http/authorizations.presenter.js';
import { LoggedAuthorizations } from './http/logged-authorizations.presenter.js';
import { AuthorizationsController } from './http/authorizations.controller.js';
import { CurrentAuthorizationController } from './http/current-authorization.controller.js';
import { ExposureProfilesController } from './http/exposure-profiles.controller.js';
import { PermissionAudit } from './http/permission-audit.js';
import { PrivacyLocators } from './http/privacy.locators.js';
import { AccessQueries } from './infrastructure/access.queries.js';
import { AuthorizationsEnd } from './infrastructure/authorizations-end.queries.js';
import { AuthorizationsQueries } from './infrastructure/authorizations.queries.js';
import { AuthorizationsRepository } from './infrastructure/authorizations.repository.js';
import { ExposureProfilesRepository } from './infrastructure/exposure-profiles.repository.js';
import { ProfileLocks } from './infrastructure/profile-locks.queries.js';
import { ProfileNames } from './infrastructure/profile-names.queries.js';
import { KnownPeople } from './infrastructure/known-people.queries.js';
import { OnlookersQueries } from './infrastructure/onlookers.queries.js';
import { RuleHistoryQueries } from './infrastructure/rule-history.queries.js';
import { SharesQueries } from './infrastructure/shares.queries.js';
import { TagUsesQueries } from './infrastructure/tag-uses.queries.js';
import { VocabularyQueries } from './infrastructure/vocabulary.queries.js';

/** The rights of callers: profiles, authorizations, Access (rules 2 and 3). */
@Module({
  imports: [IdentityModule],
  // The controller with the word `current` comes before the pattern that would match it as an id.
  controllers: [
    CurrentAuthorizationController,
    AuthorizationsController,
    AppSessionsController,
    ExposureProfilesController,
  ],
  providers: [
    Accesses,
    CallersAsApps,
    DerivedUsers,
    AccessReports,
    Authors,
    KnownPeople,
    ProfileNames,
    LastUses,
    AuthorizedCounts,
    AuthorizationPresenter,
    ExposureProfiles,
    ProfileReferences,
    ApprovalPreviews,
    Authorizations,
    LivingAuthorizations,
    LoggedAuthorizations,
    AuthorizationRecords,
    AccessQueries,
    AuthorizationsQueries,
    AuthorizationsRepository,
    AuthorizationsEnd,
    ExposureProfilesRepository,
    ProfileLocks,
    VocabularyQueries,
    PastAccesses,
    PastRules,
    HypotheticalAccesses,
    RuleHistoryQueries,
    SharesQueries,
    SharedAccesses,
    Onlookers,
    OnlookersQueries,
    TagUsesQueries,
    AccessGuard,
    PrivacyLocators,
    PermissionAudit,
  ],
  exports: [
    TagUsesQueries,
    SharedAccesses,
    SharesQueries,
    Accesses,
    PastAccesses,
    HypotheticalAccesses,
    AccessGuard,
    AccessReports,
    Authors,
    KnownPeople,
    ProfileNames,
    LastUses,
    AuthorizedCounts,
    ExposureProfiles,
    ApprovalPreviews,
    Authorizations,
    LivingAuthorizations,
    LoggedAuthorizations,
  ],
})
export class PrivacyModule {}
