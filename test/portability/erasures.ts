import { Config } from '../../src/config/config.js';
import { Housekeeping } from '../../src/kernel/housekeeping.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { World } from '../support/world.js';
import { type FullAccount, fullAccount } from './full-account.js';
import { filesWith, keysWith, placesOf, storedWith } from './places.js';

const PASSWORD = 'correct horse battery';
export const MARK = 'markedforerasure';
export const erase = ({ user }: Pick<FullAccount, 'user'>, password = PASSWORD) =>
  user.delete('/auth/me', { password });

/** One suite for each place that files can be kept in. */
export function leavesNothing(where: string, environment: Record<string, string>) {
  describe(`DELETE /auth/me, with files ${where}`, () => {
    let world: World;
    let alice: FullAccount;
    let other: FullAccount;

    beforeAll(async () => {
      world = await World.startHere({ ...environment, RATE_LIMITS: 'on', DEFAULT_TIER: 'enterprise' });
      alice = await fullAccount(world, MARK);
      other = await fullAccount(world, 'staying');
      await world.api.post('/auth/login', { email: `${MARK}@example.org`, password: 'a wrong password' });
    });
    afterAll(() => world.stop());

    it('an erased account needs the password', async () => {
      expect((await alice.user.delete('/auth/me')).status).toBe(400);
      expect((await alice.user.delete('/auth/me', {})).status).toBe(400);
      const { status, body } = await erase(alice, 'a wrong password');
      expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED']);
      expect((await alice.user.get('/auth/me')).status).toBe(200);
      expect((await placesOf(world, MARK)).length).toBeGreaterThan(40);
      expect(await storedWith(world, MARK)).toHaveLength(1);
    });

    it('an erased account leaves no byte of itself in the database, the files or Redis', async () => {
      const gone = await erase(alice);
      expect({ status: gone.status, text: gone.text }).toEqual({ status: 204, text: '' });
      expect(await placesOf(world, MARK)).toEqual([]);
      expect(await storedWith(world, MARK)).toEqual([]);
      expect(filesWith(world.nest.get(Config).dataDir, MARK)).toEqual([]);
      expect(await keysWith(MARK)).toEqual([]);
      const ids = await placesOf(world, alice.user.id);
      // Numbers of counters, and whom the changes of others name; no word of anybody's.
      expect(
        ids.filter((place) => !/^(sequences\.id|erasures\.owner_id|changes\.|apps\.owner_id)/.test(place)),
      ).toEqual([]);
    });

    it('an erased account is nobody: its tokens, its apps and all keys for it have ended', async () => {
      expect((await alice.user.get('/auth/me')).status).toBe(401);
      expect((await alice.user.get('/nodes')).status).toBe(401);
      expect(
        (await world.api.post('/auth/login', { email: `${MARK}@example.org`, password: PASSWORD })).status,
      ).toBe(401);
      expect((await alice.app.as(alice.user).get('/nodes')).status).toBe(403);
      expect(
        (await world.api.with({ 'X-API-Key': alice.developer.apiKey }).get('/apps/current')).status,
      ).toBe(401);
      expect((await alice.friend.get(`/users/${alice.user.id}`)).status).toBe(404);
      expect((await alice.friend.get('/sharing/incoming')).body.total).toBe(0);
      expect((await alice.friend.get('/sharing/outgoing')).body.total).toBe(0);
      expect((await alice.friend.get('/follows/incoming')).body.total).toBe(0);
      expect((await alice.friend.get('/nodes?access=shared')).body.total).toBe(0);
      expect((await alice.friend.get('/groups/invitations/incoming')).body.total).toBe(0);
    });

    it('an erased account took nothing of others with it', async () => {
      expect((await other.user.get('/nodes')).body.total).toBe(8);
      expect((await other.user.get(`/raw-files/${other.file}/download`)).text).toBe('staying in a file');
      expect((await other.app.as(other.user).get('/nodes')).status).toBe(200);
      expect((await other.user.get(`/groups/${other.group}/nodes`)).body.total).toBe(1);
    });

    it('an erased account frees its names', async () => {
      const again = await world.user(undefined, { email: `${MARK}@example.org`, username: MARK });
      expect((await again.get('/nodes')).body.total).toBe(0);
      expect((await erase({ user: again })).status).toBe(204);
    });

    it('an erased account is forgotten by the sweep of a later hour', async () => {
      await world.nest.get(Database).read(sql`SELECT 1`);
      await world.nest.get(Housekeeping).sweep();
      expect(await placesOf(world, MARK)).toEqual([]);
    });
  });
}
