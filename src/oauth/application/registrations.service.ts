import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { type App, UnownedApps } from '../../identity/index.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { type Metadata, registrationFrom } from '../domain/registration.js';
import { UnusedClients } from './unused-clients.service.js';

/** Clients that register themselves (rule 14.3e). */
@Injectable()
export class Registrations {
  constructor(
    private readonly apps: UnownedApps,
    private readonly unused: UnusedClients,
    private readonly config: Config,
  ) {}

  /** @throws NOT_FOUND where registration is closed; invalid_redirect_uri, invalid_client_metadata */
  async register(metadata: Metadata): Promise<{ app: App; grantTypes: string[] }> {
    if (this.config.oauth.registration !== 'open')
      throw new DomainError('NOT_FOUND', 'Clients cannot register themselves here');
    const { description, grantTypes } = registrationFrom(metadata);
    const app = await this.apps.add(description);
    await this.unused.added();
    return { app, grantTypes };
  }
}
