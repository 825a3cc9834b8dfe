import { Module, type OnModuleInit } from '@nestjs/common';
import { Config } from '../config/config.js';
import { CallerReferences } from './application/caller-references.service.js';
import { AccountDeletionHooks } from '../kernel/account-deletion-hooks.js';
import { Locators } from '../kernel/http/locators.js';
import { AccountEnd } from './infrastructure/account-end.queries.js';
import { Accounts } from './application/accounts.service.js';
import { ApiKeys } from './application/api-keys.service.js';
import { Apps } from './application/apps.service.js';
import { EmailChanges } from './application/email-changes.service.js';
import { EmailVerifications } from './application/email-verifications.service.js';
import { FactorProofs } from './application/factor-proofs.service.js';
import { LogIns } from './application/log-ins.service.js';
import { MailLinks } from './application/mail-links.service.js';
import { NewPasswords } from './application/new-passwords.service.js';
import { Names } from './application/names.service.js';
import { Notices } from './application/notices.service.js';
import { PasskeyChallenges } from './application/passkey-challenges.service.js';
import { PasskeyLogIns } from './application/passkey-log-ins.service.js';
import { Passkeys } from './application/passkeys.service.js';
import { PasswordResets } from './application/password-resets.service.js';
import { SecondFactors } from './application/second-factors.service.js';
import { SecondSteps } from './application/second-steps.service.js';
import { SingleUserLookup } from './application/single-user-lookup.js';
import { StreamTickets } from './application/stream-tickets.service.js';
import { Usage } from './application/usage.service.js';
import { Users } from './application/users.service.js';
import { type App, appNotFound } from './domain/app.js';
import { AppMetricsController } from './http/app-metrics.controller.js';
import { AppKeysController } from './http/app-keys.controller.js';
import { AppsController } from './http/apps.controller.js';
import { AuthController } from './http/auth.controller.js';
import { AuthenticationGuard } from './http/authentication.guard.js';
import { EmailController } from './http/email.controller.js';
import { LogInSecrets } from './http/log-in-secrets.js';
import { QuotaHeader } from './http/quota-header.js';
import { RateLimits } from './http/rate-limits.js';
import { appCallerOf, userCallerOf } from './http/caller.js';
import { LinkPageController } from './http/link-page.controller.js';
import { LogInsController } from './http/log-ins.controller.js';
import { PasskeyLogInsController } from './http/passkey-log-ins.controller.js';
import { PasskeyPageController } from './http/passkey-page.controller.js';
import { PasskeysController } from './http/passkeys.controller.js';
import { PasswordResetsController } from './http/password-resets.controller.js';
import { SecondFactorsController } from './http/second-factors.controller.js';
import { SessionCookies } from './http/session-cookies.js';
import { StepUp } from './http/step-up.js';
import { KeySetController } from './http/key-set.controller.js';
import { UsersController } from './http/users.controller.js';
import { AccessTokenStrategy } from './http/access-token.strategy.js';
import { AccessTokens } from './infrastructure/access-tokens.js';
import { ApiKeyStrategy } from './http/api-key.strategy.js';
import { Authenticator } from './http/authenticator.js';
import { AppSecrets } from './application/app-secrets.service.js';
import { UnownedApps } from './application/unowned-apps.service.js';
import { UnownedAppRows } from './infrastructure/unowned-apps.repository.js';
import { AppSessions } from './application/app-sessions.service.js';
import { AppTokens } from './http/app-tokens.js';
import { Challenges } from './http/challenges.js';
import { AppSessionRows } from './infrastructure/app-sessions.repository.js';
import { AppLocks } from './infrastructure/app-locks.queries.js';
import { ChallengeRows } from './infrastructure/challenges.repository.js';
import { CredentialQueries } from './infrastructure/credentials.queries.js';
import { LivingAccounts } from './infrastructure/living-accounts.queries.js';
import { CommonPasswords } from './infrastructure/common-passwords.js';
import { KnownNetworks } from './infrastructure/known-networks.repository.js';
import { LogInRows } from './infrastructure/log-ins.repository.js';
import { LetterLimiter } from './infrastructure/letter-limiter.js';
import { LogInLimiter } from './infrastructure/log-in-limiter.js';
import { MailTokens } from './infrastructure/mail-tokens.repository.js';
import { PasskeyRows } from './infrastructure/passkeys.repository.js';
import { PasswordHasher } from './infrastructure/password-hasher.js';
import { RefreshTokenSweep } from './infrastructure/refresh-token.sweep.js';
import { RefreshTokens } from './infrastructure/refresh-tokens.repository.js';
import { FactorRows } from './infrastructure/second-factors.repository.js';
import { SharedCounters } from './infrastructure/shared-counters.js';
import { TicketRows } from './infrastructure/stream-tickets.repository.js';
import { UsageQueries } from './infrastructure/usage.queries.js';
import { SigningKeys } from './infrastructure/signing-keys.js';
import { WebAuthn } from './infrastructure/web-authn.js';

/** The callers: users, log-ins, apps, keys (rules 1). */
@Module({
  controllers: [
    AuthController,
    LogInsController,
    PasswordResetsController,
    EmailController,
    LinkPageController,
    SecondFactorsController,
    PasskeysController,
    PasskeyLogInsController,
    PasskeyPageController,
    UsersController,
    AppsController,
    AppKeysController,
    AppMetricsController,
    KeySetController,
  ],
  providers: [
    { provide: SigningKeys, useFactory: (config: Config) => SigningKeys.load(config), inject: [Config] },
    Accounts,
    LogIns,
    LogInRows,
    SecondFactors,
    SecondSteps,
    FactorProofs,
    FactorRows,
    ChallengeRows,
    StreamTickets,
    TicketRows,
    Passkeys,
    PasskeyLogIns,
    PasskeyChallenges,
    PasskeyRows,
    WebAuthn,
    KnownNetworks,
    CommonPasswords,
    NewPasswords,
    MailTokens,
    MailLinks,
    LetterLimiter,
    PasswordResets,
    EmailVerifications,
    EmailChanges,
    Notices,
    AccountEnd,
    LivingAccounts,
    Users,
    Apps,
    Names,
    AppLocks,
    ApiKeys,
    AccessTokens,
    RefreshTokens,
    RefreshTokenSweep,
    PasswordHasher,
    LogInLimiter,
    SharedCounters,
    RateLimits,
    LogInSecrets,
    QuotaHeader,
    SessionCookies,
    StepUp,
    SingleUserLookup,
    Usage,
    UsageQueries,
    CredentialQueries,
    AccessTokenStrategy,
    ApiKeyStrategy,
    AppTokens,
    AppSessions,
    AppSessionRows,
    AppSecrets,
    UnownedApps,
    UnownedAppRows,
    Challenges,
    Authenticator,
    AuthenticationGuard,
    CallerReferences,
  ],
  exports: [
    AppSessions,
    AppSecrets,
    UnownedApps,
    Challenges,
    StreamTickets,
    Accounts,
    PasswordResets,
    SecondFactors,
    Notices,
    EmailChanges,
    Users,
    Apps,
    Names,
    ApiKeys,
    AuthenticationGuard,
    CallerReferences,
    RateLimits,
    StepUp,
    SingleUserLookup,
    LivingAccounts,
  ],
})
export class IdentityModule implements OnModuleInit {
  constructor(
    private readonly locators: Locators,
    private readonly apps: Apps,
    private readonly deletionHooks: AccountDeletionHooks,
    private readonly end: AccountEnd,
  ) {}

  onModuleInit(): void {
    this.deletionHooks.register((userId) => this.end.of(userId));
    this.locators.register('app', ['read', 'edit', 'delete'], (request, id) =>
      this.apps.getOwn(userCallerOf(request).userId, id),
    );
    this.locators.register('third_party', ['read'], (request, id) =>
      Promise.resolve(itself(appCallerOf(request).app, id)),
    );
  }
}

/** An app finds only itself. */
function itself(app: App, id: string): App {
  if (id.toLowerCase() !== app.id) throw appNotFound();
  return app;
}
