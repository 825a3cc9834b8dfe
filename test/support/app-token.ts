import { AppSessions, SCOPES } from '../../src/identity/index.js';
import { type Client } from './client.js';
import { type World } from './world.js';

/** A client of an app by an access token with every scope: it may do what the app's user key may, and no more. */
export async function byToken(
  world: World,
  bound: { ownerId: string; appId: string; authorizationId: string },
): Promise<Client> {
  const { accessToken } = await world.nest.get(AppSessions).begin({
    ...bound,
    device: null,
    audience: 'all',
    isConfidential: false,
    hasDetails: false,
    scopes: [...SCOPES],
    endsAt: null,
  });
  return world.api.with({ Authorization: `Bearer ${accessToken}` });
}
