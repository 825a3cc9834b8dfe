import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { type App, Apps, AppSecrets } from '../../identity/index.js';
import { OAuthError } from '../../kernel/errors/oauth-error.js';
import { type Client, clientOf } from '../domain/client.js';
import { ClientDocuments } from './client-documents.service.js';

/** The credentials of a client at an endpoint that clients call themselves. */
export interface ClientCredentials {
  clientId: string | undefined;
  secret: string | undefined;
}

/** A client that proved itself with a secret, or a public one, which has none. */
export interface AuthenticatedClient extends Client {
  isConfidential: boolean;
}

/** Finds clients by their client_id, and authenticates them (rule 14.3). */
@Injectable()
export class Clients {
  constructor(
    private readonly apps: Apps,
    private readonly secrets: AppSecrets,
    private readonly documents: ClientDocuments,
    private readonly config: Config,
  ) {}

  /** The client as it is described now; null for an unknown id, and for an app that is off or deleted. */
  async find(clientId: string): Promise<Client | null> {
    return living(
      this.documents.isAddress(clientId)
        ? await this.documents.read(clientId)
        : this.open(await this.registered(clientId)),
    );
  }

  /** The client as it was last described: no document is read for it. */
  async known(clientId: string): Promise<Client | null> {
    return living(
      this.documents.isAddress(clientId)
        ? await this.documents.known(clientId)
        : await this.registered(clientId),
    );
  }

  /** The client of an app; null if it is off or deleted. */
  async ofApp(appId: string): Promise<Client | null> {
    return living(await this.apps.find(appId));
  }

  /**
   * The client that calls. Any of its keys is its secret; a client that sends none is public.
   * @throws invalid_client
   */
  authenticate(credentials: ClientCredentials): Promise<AuthenticatedClient> {
    return this.authenticated(credentials, (clientId) => this.known(clientId));
  }

  /** The same for a client that begins a request, as it is described now. @throws invalid_client */
  introduce(credentials: ClientCredentials): Promise<AuthenticatedClient> {
    return this.authenticated(credentials, (clientId) => this.find(clientId));
  }

  private async authenticated(
    { clientId, secret }: ClientCredentials,
    find: (clientId: string) => Promise<Client | null>,
  ): Promise<AuthenticatedClient> {
    if (clientId === undefined) throw new OAuthError('invalid_client', 'client_id is missing');
    const client = await find(clientId);
    if (client === null)
      throw new OAuthError('invalid_client', 'The client is not known here; register again');
    if (secret === undefined) return { ...client, isConfidential: false };
    if (!(await this.secrets.isSecretOf(client.app.id, secret)))
      throw new OAuthError('invalid_client', 'The client secret is not valid');
    return { ...client, isConfidential: true };
  }

  /** The app, unless it registered itself and registration is off. */
  private open(app: App | null): App | null {
    return app?.kind === 'dynamic' && this.config.oauth.registration === 'off' ? null : app;
  }

  /** Apps that a document describes are known by its address alone. */
  private async registered(id: string): Promise<App | null> {
    const app = await this.apps.find(id);
    return app?.kind === 'document' ? null : app;
  }
}

const living = (app: App | null): Client | null => (app?.isActive === true ? clientOf(app) : null);
