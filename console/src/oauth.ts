import { type components } from '../../clients/typescript/src/schema.js';
import { authorized } from './session.js';
import { type NewProfile } from './profiles.js';

/** The origin of what a page says about an app. */
export interface ClientInfo {
  name: string;
  host: string | null;
  verified: boolean;
  kind: 'registered' | 'document' | 'dynamic';
}

export interface ConsentRequest {
  client: ClientInfo & { app_id: string; homepage_url: string | null };
  returns_to: { uri: string; host: string; kind: 'web' | 'this_computer' | 'app' | 'device' };
  scopes: { scope: string; required: boolean }[];
  schemas: unknown;
  purpose: string | null;
  expires_in_days: number | null;
  stays_connected: boolean;
  profiles: { id: string; name: string; is_default: boolean; lacks: string[] }[];
  existing: {
    authorization_id: string;
    exposure_profile: { id: string; name: string };
    scopes: string[];
    expires_at: string | null;
    sessions: number;
  } | null;
  user: { id: string; username: string };
  expires_at: string;
}

export type Decision = {
  request: string;
  decision: 'allow' | 'deny';
  scopes?: string[];
  exposure_profile_id?: string;
  new_profile?: NewProfile;
  expires_at?: string | null;
};

export interface AppSession {
  id: string;
  device: string | null;
  scopes: string[];
  created_at: string;
  last_used_at: string | null;
}

/** An authorization with what OAuth adds to it. */
export type Authorization = components['schemas']['AuthorizationDto'] & {
  client?: ClientInfo;
  scopes?: string[];
  purpose?: string | null;
  sessions?: number;
};

/** Operations that openapi.json does not have yet. */
interface Untyped {
  GET(path: string, init?: object): Promise<{ data?: unknown }>;
  POST(path: string, init?: object): Promise<{ data?: unknown }>;
  PATCH(path: string, init?: object): Promise<{ data?: unknown }>;
  DELETE(path: string, init?: object): Promise<{ data?: unknown }>;
}
const api = authorized() as unknown as Untyped;

export async function consentRequest(request: string): Promise<ConsentRequest> {
  const { data } = await api.GET('/api/v1/oauth/consent', { params: { query: { request } } });
  return data as ConsentRequest;
}

/** @returns the address to which the person goes on; null for a device, which asks by itself */
export async function decide(decision: Decision): Promise<string | null> {
  const { data } = await api.POST('/api/v1/oauth/consent', { body: decision });
  return (data as { redirect_to: string | null }).redirect_to;
}

/** @returns the request that the consent page shows */
export async function deviceRequest(user_code: string): Promise<string> {
  const { data } = await api.POST('/api/v1/oauth/device', { body: { user_code } });
  return (data as { request: string }).request;
}

const SESSIONS = '/api/v1/authorizations/{authorization_id}/sessions';

export async function sessionsOf(authorization_id: string): Promise<AppSession[]> {
  const { data } = await api.GET(SESSIONS, { params: { path: { authorization_id }, query: { limit: 100 } } });
  return (data as { sessions: AppSession[] }).sessions;
}

export async function endSession(authorization_id: string, session_id: string): Promise<void> {
  await api.DELETE(`${SESSIONS}/{session_id}`, { params: { path: { authorization_id, session_id } } });
}

export async function changeAuthorization(
  authorization_id: string,
  body: { exposure_profile_id?: string; expires_at?: string | null; scopes?: string[] },
): Promise<void> {
  await api.PATCH('/api/v1/authorizations/{authorization_id}', {
    params: { path: { authorization_id } },
    body,
  });
}
