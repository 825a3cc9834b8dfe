import { type Client } from '../client.js';
import { everything, type Requested } from '../defaults.js';
import { type TestApp, type TestUser, type World } from '../world.js';

/**
 * An app that requested many permissions and received all, until its profile shrank to this one (rule 2.7):
 * its rights are those of the profile, even if that would not have been enough for approval.
 */
export async function narrowed(
  world: World,
  user: TestUser,
  { profile, requested = everything }: { profile: Record<string, unknown>; requested?: Requested },
): Promise<{ client: Client; app: TestApp; profileId: string }> {
  const app = await world.app({ requested });
  const { profile: made } = await user.authorizes(app, 'transparent');
  const nothing = { tag_permissions: {}, schema_permissions: {} };
  const shrunk = await user.put(`/exposure-profiles/${made.id}`, { ...nothing, ...profile });
  if (shrunk.status !== 200) throw new Error(`profile: ${shrunk.status} ${shrunk.text}`);
  return { client: app.as(user), app, profileId: made.id };
}
