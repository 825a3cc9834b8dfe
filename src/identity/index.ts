export { Accounts, type InSession } from './application/accounts.service.js';
export { AppSecrets } from './application/app-secrets.service.js';
export {
  type ClientDescription,
  type UnownedAppPlace,
  UnownedApps,
} from './application/unowned-apps.service.js';
export { AppSessions, type IssuedTokens, type KnownToken } from './application/app-sessions.service.js';
export { ApiKeys } from './application/api-keys.service.js';
export { Apps } from './application/apps.service.js';
export { CallerReferences } from './application/caller-references.service.js';
export { EmailChanges } from './application/email-changes.service.js';
export { Names, type NameOf, type NamedApp, type NamedUser } from './application/names.service.js';
export { Notices } from './application/notices.service.js';
export { PasswordResets } from './application/password-resets.service.js';
export { SecondFactors } from './application/second-factors.service.js';
export { SingleUserLookup } from './application/single-user-lookup.js';
export { StreamTickets } from './application/stream-tickets.service.js';
export { Users } from './application/users.service.js';
export {
  APP_KINDS,
  type App,
  type AppKind,
  appNotFound,
  isRedirectUri,
  LOOPBACK,
  isWebAddress,
  requestVersionOf,
  verifiedHost,
} from './domain/app.js';
export { type AppSession, type Audience, SESSION_ENDS, type SessionEnd } from './domain/app-session.js';
export {
  BASELINE,
  OFFLINE,
  permissionsOf,
  RAW_FILE_SCHEMA_ID,
  type Scope,
  SCOPES,
  type ScopeSchemas,
  scopesFor,
  scopesIn,
  scopesOf,
} from './domain/scopes.js';
export { hashOfSecret } from './domain/key-text.js';
export { type AppCaller, type Caller, type UserCaller } from './domain/caller.js';
export {
  type RequestedPermissions,
  requestedPermissionsFrom,
  type RequestedSchemas,
  requestsTag,
} from './domain/requested-permissions.js';
export {
  addedRights,
  CONFIRMED,
  type ConfirmRights,
  EVERYTHING,
  NO_RIGHTS,
  type OthersRights,
  type Right,
} from './domain/others-rights.js';
export { actorOf, sessionOf } from './domain/caller.js';
export { type Device } from './domain/log-in.js';
export { type User, userNotFound } from './domain/user.js';
export { AuthenticationGuard } from './http/authentication.guard.js';
export { networkOf } from './domain/rate-limits.js';
export { RateLimits } from './http/rate-limits.js';
export { StepUp } from './http/step-up.js';
export {
  callerKey,
  callerOf,
  CurrentCaller,
  CurrentDevice,
  CurrentUser,
  CurrentUserCaller,
  findCaller,
  keyOfCaller,
  setCaller,
  userCallerOf,
} from './http/caller.js';
export { Challenges } from './http/challenges.js';
export { NewPasswordBody, RegisterBody } from './http/dto/auth.dto.js';
export { NewEmailBody } from './http/dto/mail.dto.js';
export { RequestedPermissionsDto } from './http/dto/requested-permissions.dto.js';
export { IdentityModule } from './identity.module.js';
export { accountLock, LivingAccounts } from './infrastructure/living-accounts.queries.js';
export { identityEntities } from './infrastructure/entities.js';
