import { freshDatabase } from '../support/database.js';
import { World } from '../support/world.js';

describe('the next request sees (rule 2.8)', () => {
  it('all of it in another process as well', async () => {
    const shared = await freshDatabase();
    const keys = { DATABASE_URL: shared.url, ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };
    const [first, second] = [await World.startHere(keys), await World.startHere(keys)];
    try {
      const bob = await first.user();
      const app = await first.app();
      const { profile, authorization } = await bob.authorizes(app);
      const elsewhere = second.api.with({ 'X-API-Key': app.apiKey, 'X-User-ID': bob.id });
      for (let i = 0; i < 20; i++) {
        await bob.put(`/exposure-profiles/${profile.id}`, { is_active: false });
        expect((await elsewhere.get('/nodes')).status).toBe(403);
        await bob.put(`/exposure-profiles/${profile.id}`, { is_active: true });
        expect((await elsewhere.get('/nodes')).status).toBe(200);
      }
      await bob.delete(`/authorizations/${authorization.id}`);
      expect((await elsewhere.get('/nodes')).status).toBe(403);
    } finally {
      await first.stop();
      await second.stop();
      await shared.drop();
    }
  });
});
