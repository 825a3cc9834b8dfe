import { type components } from '../../clients/typescript/src/schema.js';
import { authorized } from './session.js';

type Schemas = components['schemas'];

export type Authorization = Schemas['AuthorizationDto'];
export type ClientInfo = Schemas['ClientDto'];
export type ConsentRequest = Schemas['ConsentDto'];
type Decision = Schemas['DecideBody'];
type Terms = Schemas['UpdateAuthorizationBody'];

/** A device on which an app is or was connected. */
export type AppSession = Schemas['AppSessionDto'];

/** The devices of an authorization, by their state. */
export interface Devices {
  active: AppSession[];
  ended: AppSession[];
}

export async function consentRequest(request: string): Promise<ConsentRequest> {
  const { data } = await authorized().GET('/api/v1/oauth/consent', { params: { query: { request } } });
  return data as ConsentRequest;
}

/** @returns the address to open next; null for a device, which asks by itself */
export async function decide(body: Decision): Promise<string | null> {
  const { data } = await authorized().POST('/api/v1/oauth/consent', { body });
  return data?.redirect_to ?? null;
}

/** @returns the request that the consent page shows */
export async function deviceRequest(user_code: string): Promise<string> {
  const { data } = await authorized().POST('/api/v1/oauth/device', { body: { user_code } });
  return data?.request ?? '';
}

export async function devicesOf(authorization_id: string): Promise<Devices> {
  const listed = async (status: AppSession['status']): Promise<AppSession[]> => {
    const { data } = await authorized().GET('/api/v1/authorizations/{authorization_id}/sessions', {
      params: { path: { authorization_id }, query: { status, limit: 100 } },
    });
    return data?.sessions ?? [];
  };
  const [active, ended] = await Promise.all([listed('active'), listed('ended')]);
  return { active, ended };
}

export async function endSession(authorization_id: string, app_session_id: string): Promise<void> {
  await authorized().DELETE('/api/v1/authorizations/{authorization_id}/sessions/{app_session_id}', {
    params: { path: { authorization_id, app_session_id } },
  });
}

export async function changeAuthorization(authorization_id: string, body: Terms): Promise<void> {
  await authorized().PATCH('/api/v1/authorizations/{authorization_id}', {
    params: { path: { authorization_id } },
    body,
  });
}
