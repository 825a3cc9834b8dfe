import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Locators } from '../../kernel/http/locators.js';
import { Authorizations } from '../application/authorizations.service.js';
import { ExposureProfiles } from '../application/exposure-profiles.service.js';
import { accessOf } from './current-access.js';

/**
 * Looks up `:profile_id` and `:authorization_id` among the caller's own; others' count as absent (rule 3.18).
 */
@Injectable()
export class PrivacyLocators implements OnModuleInit {
  constructor(
    private readonly locators: Locators,
    private readonly profiles: ExposureProfiles,
    private readonly authorizations: Authorizations,
  ) {}

  onModuleInit(): void {
    this.locators.register('exposure_profile', ['read', 'edit', 'delete'], (request, id) =>
      this.profiles.get(accessOf(request).ownerId, id),
    );
    this.locators.register('authorization', ['read', 'edit', 'delete'], (request, id) =>
      this.authorizations.get(accessOf(request).ownerId, id),
    );
  }
}
