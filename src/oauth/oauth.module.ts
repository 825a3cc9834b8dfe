import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/index.js';
import { PrivacyModule } from '../privacy/index.js';
import { AuthorizationRequests } from './application/authorization-requests.service.js';
import { ClientDocuments } from './application/client-documents.service.js';
import { Clients } from './application/clients.service.js';
import { Consents } from './application/consents.service.js';
import { Devices } from './application/devices.service.js';
import { Registrations } from './application/registrations.service.js';
import { SealedRequests } from './application/sealed-requests.js';
import { TokenGrants } from './application/token-grants.service.js';
import { TokenStatus } from './application/token-status.service.js';
import { UnusedClients } from './application/unused-clients.service.js';
import { AuthorizeController } from './http/authorize.controller.js';
import { ConsentController } from './http/consent.controller.js';
import { ConsentPresenter } from './http/consent.presenter.js';
import { MetadataController } from './http/metadata.controller.js';
import { PushedRequestsController } from './http/pushed-requests.controller.js';
import { RegistrationController } from './http/registration.controller.js';
import { TokenController } from './http/token.controller.js';
import { CodeRows } from './infrastructure/codes.repository.js';
import { DeviceRows } from './infrastructure/devices.repository.js';
import { DocumentsClient } from './infrastructure/documents-client.js';
import { OAuthSweep } from './infrastructure/oauth.sweep.js';

/** The authorization server (rules 14): how clients ask for access, and get tokens that point to it. */
@Module({
  imports: [IdentityModule, PrivacyModule],
  controllers: [
    MetadataController,
    AuthorizeController,
    TokenController,
    PushedRequestsController,
    RegistrationController,
    ConsentController,
  ],
  providers: [
    AuthorizationRequests,
    ClientDocuments,
    Clients,
    Consents,
    ConsentPresenter,
    Devices,
    Registrations,
    SealedRequests,
    TokenGrants,
    TokenStatus,
    UnusedClients,
    CodeRows,
    DeviceRows,
    DocumentsClient,
    OAuthSweep,
  ],
})
export class OAuthModule {}
