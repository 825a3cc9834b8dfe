import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import {
  AppSessions,
  hashOfSecret,
  permissionsOf,
  requestVersionOf,
  type Scope,
  scopesIn,
  scopesOf,
} from '../../identity/index.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import {
  ApprovalPreviews,
  Authorizations,
  ExposureProfiles,
  type GrantableProfile,
  LivingAuthorizations,
  type profileFields,
} from '../../privacy/index.js';
import { type Client } from '../domain/client.js';
import { CODE_LIFETIME_MS, newCode } from '../domain/code-text.js';
import { grantedDetails } from '../domain/graph-access.js';
import { withParameters } from '../domain/redirect-uris.js';
import { CodeRows } from '../infrastructure/codes.repository.js';
import { Clients } from './clients.service.js';
import { Devices } from './devices.service.js';
import { type ConsentRequest, SealedRequests } from './sealed-requests.js';

/** The data of a consent page. */
export interface ConsentPage {
  client: Client;
  request: ConsentRequest;
  profiles: GrantableProfile[];
  existing: {
    id: string;
    profileId: string;
    scopes: Scope[];
    expiresAt: Date | null;
    sessions: number;
  } | null;
  expiresAt: Date;
}

/** The terms that a person allows. */
export interface AllowedTerms {
  scopes: readonly Scope[];
  /** The profile, or the fields of a new one. */
  profile: { id: string } | (ReturnType<typeof profileFields> & { name: string });
  /** The end of the authorization; null: none. */
  expiresAt: Date | null;
}

/** Decisions of people about requests of clients (rule 14.6). The grant is the authorization, and nothing else. */
@Injectable()
export class Consents {
  constructor(
    private readonly sealed: SealedRequests,
    private readonly clients: Clients,
    private readonly authorizations: Authorizations,
    private readonly living: LivingAuthorizations,
    private readonly previews: ApprovalPreviews,
    private readonly profiles: ExposureProfiles,
    private readonly sessions: AppSessions,
    private readonly codes: CodeRows,
    private readonly devices: Devices,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** @throws CONSENT_EXPIRED, also where the client is gone */
  async page(ownerId: string, text: string): Promise<ConsentPage> {
    const { request, expiresAt } = this.sealed.open(text);
    const client = await this.clientOf(request);
    const scopes = [...request.required, ...request.optional];
    const profiles = await this.previews.grantable(ownerId, { scopes, schemas: request.schemas });
    return { client, request, profiles, existing: await this.existing(ownerId, client), expiresAt };
  }

  /** The address to which a refusal goes; null for a device. @throws CONSENT_EXPIRED */
  async deny(text: string): Promise<string | null> {
    const { request } = this.sealed.open(text);
    if (request.kind === 'device') {
      await this.devices.decide(request.deviceDigest, { status: 'denied' });
      return null;
    }
    return this.answer(request, { error: 'access_denied', error_description: 'The person did not allow it' });
  }

  /**
   * Authorizes the app, and makes a code for it or connects the waiting device.
   * @returns the address to which the browser goes; null for a device
   * @throws CONSENT_EXPIRED; VALIDATION_ERROR for scopes that do not fit the request; the errors of an approval
   */
  allow(ownerId: string, text: string, terms: AllowedTerms): Promise<string | null> {
    const { request } = this.sealed.open(text);
    const scopes = chosen(request, terms.scopes);
    return this.units.run(async () => {
      const { app } = await this.clientOf(request);
      const profileId =
        'id' in terms.profile ? terms.profile.id : await this.makeProfile(ownerId, terms.profile);
      const { authorization } = await this.authorizations.approve(ownerId, {
        appId: app.id,
        profileId,
        customization: null,
        requestVersion: request.version,
        expiresAt: terms.expiresAt,
        consent: { asked: permissionsOf(scopes, request.schemas), purpose: request.purpose },
      });
      const granted = { scopes, schemas: request.schemas, purpose: request.purpose };
      const details = request.hasDetails ? grantedDetails(authorization.id, granted) : null;
      const bound = { ownerId, authorizationId: authorization.id, scopes, details };
      if (request.kind === 'device') {
        await this.devices.decide(request.deviceDigest, { status: 'allowed', ...bound });
        return null;
      }
      const code = newCode();
      const { redirectUri, challenge, audience } = request;
      const expiresAt = new Date(this.clock.now().getTime() + CODE_LIFETIME_MS);
      const target = { appId: app.id, redirectUri, challenge, audience, expiresAt, sessionId: null };
      await this.codes.insert({ ...bound, ...target, digest: hashOfSecret(code) });
      return this.answer(request, { code });
    });
  }

  private answer(
    { redirectUri, state }: Extract<ConsentRequest, { kind: 'redirect' }>,
    parameters: Record<string, string>,
  ): string {
    return withParameters(redirectUri, { ...parameters, state, iss: this.config.publicUrl });
  }

  private async makeProfile(
    ownerId: string,
    fields: Exclude<AllowedTerms['profile'], { id: string }>,
  ): Promise<string> {
    const { id } = await this.profiles.create(ownerId, fields);
    return id;
  }

  private async existing(ownerId: string, { app }: Client): Promise<ConsentPage['existing']> {
    const authorization = await this.living.activeOf(ownerId, app.id);
    if (authorization === null) return null;
    const { id, exposureProfileId: profileId, requestedPermissions, expiresAt } = authorization;
    const sessions = (await this.sessions.countsOf(ownerId, [id])).get(id) ?? 0;
    return { id, profileId, scopes: scopesIn(requestedPermissions), expiresAt, sessions };
  }

  private async clientOf({ appId, version }: ConsentRequest): Promise<Client> {
    const client = await this.clients.ofApp(appId);
    if (client === null)
      throw new DomainError(
        'CONSENT_EXPIRED',
        'The app that asked is no longer known here; start again in the app',
      );
    if (requestVersionOf(client.app) !== version)
      throw new DomainError('REQUEST_CHANGED', 'The app has changed since it asked; start again in the app');
    return client;
  }
}

/** The scopes that a person left, with those that are fixed. @throws VALIDATION_ERROR */
function chosen({ required, optional }: ConsentRequest, scopes: readonly Scope[]): Scope[] {
  const all = scopesOf(scopes);
  if (!required.every((scope) => all.includes(scope)))
    throw DomainError.validation('scopes', 'must contain those that the app requires');
  if (!all.every((scope) => required.includes(scope) || optional.includes(scope)))
    throw DomainError.validation('scopes', 'must not contain others than those that the app asks for');
  if (all.length === 0) throw DomainError.validation('scopes', 'must not be empty; deny the request instead');
  return all;
}
