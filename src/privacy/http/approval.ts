import { DomainError } from '../../kernel/errors/domain-error.js';
import { type Approval, type Customization } from '../application/authorizations.service.js';
import { type ApproveBody } from './dto/authorizations.dto.js';
import { profileFields } from './profile-fields.js';

/** A body as an approval. @throws VALIDATION_ERROR when its parts are incompatible (rule 2.2) */
export function approvalOf(body: ApproveBody): Approval {
  return {
    appId: body.app_id.toLowerCase(),
    profileId: body.exposure_profile_id.toLowerCase(),
    customization: customizationOf(body),
    requestVersion: body.request_version ?? null,
    expiresAt: body.expires_at,
  };
}

function customizationOf({ customizations, save_mode, new_profile_name }: ApproveBody): Customization | null {
  const given = customizations ?? null;
  const mode = save_mode ?? null;
  if (given !== null && mode === null) {
    throw DomainError.validation('save_mode', 'is required with customizations: overwrite or save_as_new');
  }
  const fields = profileFields(given ?? {});
  if (mode === 'save_as_new') {
    const name = new_profile_name ?? null;
    if (name === null)
      throw DomainError.validation('new_profile_name', 'is required with save_mode save_as_new');
    return { mode, name, fields };
  }
  return mode === null || given === null ? null : { mode, fields };
}
