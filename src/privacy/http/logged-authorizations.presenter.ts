import { Injectable } from '@nestjs/common';
import { Apps, requestedPermissionsFrom, scopesIn } from '../../identity/index.js';
import { statusOf } from '../domain/authorization.js';
import { presentClient } from './authorizations.presenter.js';

/** A state of an authorization, as the change log stores it. */
export interface LoggedAuthorization {
  id?: unknown;
  app_id?: unknown;
  app_name?: unknown;
  updated_at?: unknown;
  expires_at?: unknown;
  revoked_at?: unknown;
  [field: string]: unknown;
}

/** Presents states of authorizations from the change log to the person whose they are (rule 9.4i). */
@Injectable()
export class LoggedAuthorizations {
  constructor(private readonly apps: Apps) {}

  /** The state with its app as it is now; without a client when the app has ended. */
  async of(state: LoggedAuthorization): Promise<object> {
    const app = await this.apps.find(String(state.app_id));
    const term = { revokedAt: timeIn(state.revoked_at), expiresAt: timeIn(state.expires_at) };
    return {
      id: state.id,
      app_id: state.app_id,
      app_name: app?.name ?? state.app_name ?? null,
      client: app && presentClient(app.name, app),
      status: statusOf(term, timeIn(state.updated_at) ?? new Date(0)),
      scopes: scopesIn(requestedPermissionsFrom(state['requested_permissions'])),
      purpose: state['purpose'] ?? null,
      exposure_profile_id: state['exposure_profile_id'],
      created_at: state['created_at'],
      updated_at: state.updated_at,
      expires_at: state.expires_at ?? null,
      revoked_at: state.revoked_at ?? null,
    };
  }
}

const timeIn = (value: unknown): Date | null => (typeof value === 'string' ? new Date(value) : null);
