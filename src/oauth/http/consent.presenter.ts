import { Injectable } from '@nestjs/common';
import { permissionsOf, type User } from '../../identity/index.js';
import { visibly } from '../../kernel/text/unseen-characters.js';
import { ProfileNames } from '../../privacy/index.js';
import { type ConsentPage } from '../application/consents.service.js';
import { placeOf } from '../domain/redirect-uris.js';
import { type ConsentDto } from './consent.dto.js';

/** The proposed length where the client proposes none; a longer wish is shown, and the person decides. */
const DAYS = 90;

@Injectable()
export class ConsentPresenter {
  constructor(private readonly names: ProfileNames) {}

  async present(
    { client, request, profiles, existing, expiresAt }: ConsentPage,
    user: User,
  ): Promise<ConsentDto> {
    const { required, optional, schemas } = request;
    const scopes = [
      ...required.map((scope) => ({ scope, required: true })),
      ...optional.map((scope) => ({ scope, required: false })),
    ];
    const names = existing === null ? new Map() : await this.names.of(user.id, [existing.profileId]);
    return {
      client: {
        app_id: client.app.id,
        name: visibly(client.app.name),
        kind: client.app.kind,
        host: client.host,
        verified: client.host !== null,
        homepage_url: client.app.homepageUrl && visibly(client.app.homepageUrl),
      },
      returns_to:
        request.kind === 'device'
          ? { uri: null, host: null, kind: 'device' }
          : { uri: visibly(request.redirectUri), ...placeOf(request.redirectUri) },
      scopes,
      permissions: permissionsOf([...required, ...optional], schemas),
      purpose: request.purpose && visibly(request.purpose),
      expires_in_days: request.days ?? DAYS,
      profiles: profiles.map(({ profile, lacks }) => ({
        id: profile.id,
        name: profile.name,
        is_default: profile.isDefault,
        lacks,
      })),
      existing: existing && {
        authorization_id: existing.id,
        exposure_profile: names.get(existing.profileId) ?? null,
        scopes: existing.scopes,
        expires_at: existing.expiresAt,
        sessions: existing.sessions,
      },
      user: { id: user.id, username: user.username },
      expires_at: expiresAt,
    };
  }
}
