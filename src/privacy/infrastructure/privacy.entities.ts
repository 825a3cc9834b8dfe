import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import { type Authorization } from '../domain/authorization.js';
import { type ExposureProfile } from '../domain/exposure-profile.js';

/** A profile as stored: the key that makes its name unique without case. */
export interface ProfileRow extends ExposureProfile {
  nameKey: string;
}

const uuid = (name: string, more: object = {}): EntitySchemaColumnOptions => ({
  type: 'uuid',
  name,
  ...more,
});
const text = (name: string, more: object = {}): EntitySchemaColumnOptions => ({
  type: 'text',
  name,
  ...more,
});
const time = (name: string, more: object = {}): EntitySchemaColumnOptions => ({
  type: 'timestamptz',
  name,
  ...more,
});
const flag = (name: string): EntitySchemaColumnOptions => ({ type: 'boolean', name });
const json = (name: string): EntitySchemaColumnOptions => ({ type: 'jsonb', name });
const version: EntitySchemaColumnOptions = { type: 'integer', name: 'version' };
const nullable = { nullable: true };
const primary = { primary: true };

export const ExposureProfileEntity = new EntitySchema<ProfileRow>({
  name: 'ExposureProfile',
  tableName: 'exposure_profiles',
  columns: {
    ownerId: uuid('owner_id', primary),
    id: uuid('id', primary),
    name: text('name'),
    // Not read: only the database compares it.
    nameKey: text('name_key', { select: false }),
    description: text('description', nullable),
    isDefault: flag('is_default'),
    isActive: flag('is_active'),
    rules: json('rules'),
    version,
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
    createdAt: time('created_at'),
    updatedAt: time('updated_at'),
    expiresAt: time('expires_at', nullable),
    revokedAt: time('revoked_at', nullable),
    version,
  },
});

export const privacyEntities = [ExposureProfileEntity, AuthorizationEntity];
