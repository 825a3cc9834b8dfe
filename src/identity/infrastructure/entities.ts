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
import { type ApiKey } from '../domain/api-key.js';
import { type App } from '../domain/app.js';
import { type LogIn } from '../domain/log-in.js';
import { type RefreshToken } from '../domain/refresh-token.js';
import { type User } from '../domain/user.js';

/** A user as stored: the keys that make e-mail and name unique, and the hash of the password. */
export interface UserRow extends User {
  emailKey: string;
  usernameKey: string;
  passwordHash: string;
  tokenGeneration: number;
}

export interface AppRow extends App {
  deletedAt: Date | null;
}

export interface ApiKeyRow extends ApiKey {
  keyHash: string;
  revokedAt: Date | null;
}

export const UserEntity = new EntitySchema<UserRow>({
  name: 'User',
  tableName: 'users',
  columns: {
    id: uuid('id', primary),
    email: text('email'),
    emailKey: text('email_key', hidden),
    emailVerifiedAt: time('email_verified_at', nullable),
    username: text('username'),
    usernameKey: text('username_key', hidden),
    passwordHash: text('password_hash', hidden),
    tokenGeneration: integer('token_generation', { ...hidden, default: 0 }),
    isPublic: flag('is_public'),
    tier: text('tier'),
    createdAt: time('created_at'),
    updatedAt: time('updated_at'),
  },
});

export const RefreshTokenEntity = new EntitySchema<RefreshToken>({
  name: 'RefreshToken',
  tableName: 'refresh_tokens',
  columns: {
    userId: uuid('user_id', primary),
    id: uuid('id', primary),
    familyId: uuid('family_id'),
    tokenHash: text('token_hash'),
    createdAt: time('created_at'),
    expiresAt: time('expires_at'),
    spentAt: time('spent_at', nullable),
    endedAt: time('ended_at', nullable),
  },
});

export const LogInEntity = new EntitySchema<LogIn>({
  name: 'LogIn',
  tableName: 'log_ins',
  columns: {
    userId: uuid('user_id', primary),
    id: uuid('id', primary),
    createdAt: time('created_at'),
    lastUsedAt: time('last_used_at'),
    authenticatedAt: time('authenticated_at'),
    expiresAt: time('expires_at'),
    endedAt: time('ended_at', nullable),
    userAgent: text('user_agent', nullable),
    network: text('network', nullable),
    generation: integer('generation'),
    singlesGiven: integer('singles_given'),
  },
});

export const AppEntity = new EntitySchema<AppRow>({
  name: 'App',
  tableName: 'apps',
  columns: {
    id: uuid('id', primary),
    ownerId: uuid('owner_id'),
    name: text('name'),
    description: text('description', nullable),
    homepageUrl: text('homepage_url', nullable),
    redirectUris: text('redirect_uris', { array: true }),
    clientLevel: text('client_level'),
    requestedPermissions: json('requested_permissions'),
    tier: text('tier'),
    isActive: flag('is_active'),
    kind: text('kind'),
    documentUrl: text('document_url', nullable),
    createdAt: time('created_at'),
    updatedAt: time('updated_at'),
    deletedAt: time('deleted_at', nullable),
  },
});

export const ApiKeyEntity = new EntitySchema<ApiKeyRow>({
  name: 'ApiKey',
  tableName: 'api_keys',
  columns: {
    appId: uuid('app_id', primary),
    id: uuid('id', primary),
    kind: text('kind'),
    userId: uuid('user_id', nullable),
    authorizationId: uuid('authorization_id', nullable),
    name: text('name', nullable),
    keyHash: text('key_hash', hidden),
    prefix: text('prefix'),
    lastFour: text('last_four'),
    createdAt: time('created_at'),
    expiresAt: time('expires_at', nullable),
    revokedAt: time('revoked_at', nullable),
  },
});

export const identityEntities = [UserEntity, RefreshTokenEntity, LogInEntity, AppEntity, ApiKeyEntity];
