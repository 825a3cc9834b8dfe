import { EntitySchema } from 'typeorm';
import {
  flag,
  hidden,
  integer,
  json,
  nullable,
  primary,
  text,
  time,
  uuid,
} from '../../kernel/database/columns.js';
import { type Authorization } from '../domain/authorization.js';
import { type ExposureProfile } from '../domain/exposure-profile.js';

/** A profile as stored: the key that makes its name unique without case. */
export interface ProfileRow extends ExposureProfile {
  nameKey: string;
}

export const ExposureProfileEntity = new EntitySchema<ProfileRow>({
  name: 'ExposureProfile',
  tableName: 'exposure_profiles',
  columns: {
    ownerId: uuid('owner_id', primary),
    id: uuid('id', primary),
    name: text('name'),
    nameKey: text('name_key', hidden),
    description: text('description', nullable),
    isDefault: flag('is_default'),
    isActive: flag('is_active'),
    rules: json('rules'),
    version: integer('version'),
    createdAt: time('created_at'),
    updatedAt: time('updated_at'),
  },
});

export const AuthorizationEntity = new EntitySchema<Authorization>({
  name: 'Authorization',
  tableName: 'authorizations',
  columns: {
    ownerId: uuid('owner_id', primary),
    id: uuid('id', primary),
    appId: uuid('app_id'),
    exposureProfileId: uuid('exposure_profile_id'),
    requestedPermissions: json('requested_permissions'),
    appName: text('app_name', nullable),
    purpose: text('purpose', nullable),
    isChosen: flag('is_chosen'),
    createdAt: time('created_at'),
    updatedAt: time('updated_at'),
    expiresAt: time('expires_at', nullable),
    revokedAt: time('revoked_at', nullable),
    version: integer('version'),
  },
});

export const privacyEntities = [ExposureProfileEntity, AuthorizationEntity];
