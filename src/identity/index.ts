export { Accounts } from './application/accounts.service.js';
export { ApiKeys } from './application/api-keys.service.js';
export { Apps } from './application/apps.service.js';
export { CallersAgain } from './application/callers-again.service.js';
export { type Registration, Users } from './application/users.service.js';
export { type App, type ClientLevel } from './domain/app.js';
export { actorOf, type Caller } from './domain/caller.js';
export {
  type RequestedPermissions,
  requestedPermissionsFrom,
  type RequestedSchemas,
  requestsTag,
  type TagVerb,
} from './domain/requested-permissions.js';
export { type User } from './domain/user.js';
export { AuthenticationGuard } from './http/authentication.guard.js';
export { RateLimits } from './http/rate-limits.js';
export { callerOf, CurrentApp, CurrentCaller, CurrentUser } from './http/caller.js';
export { RegisterBody } from './http/dto/auth.dto.js';
export { RequestedPermissionsDto } from './http/dto/requested-permissions.dto.js';
export { IdentityModule } from './identity.module.js';
export { LivingAccounts } from './infrastructure/living-accounts.queries.js';
export { identityEntities } from './infrastructure/entities.js';
