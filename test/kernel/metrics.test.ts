import { World } from '../support/world.js';

describe('Prometheus', () => {
  it('GET /metrics is for this machine where there is no token, and not for what a proxy has forwarded', async () => {
    const world = await World.start();
    try {
      const asked = (headers: Record<string, string>) =>
        fetch(new URL('/metrics', world.origin), { headers });
      expect((await asked({})).status).toBe(200);
      const headers = {
        'X-Forwarded-For': '203.0.113.7',
        'X-Forwarded-Proto': 'https',
        Forwarded: 'for=203.0.113.7',
        Via: '1.1 proxy',
        'X-Real-IP': '203.0.113.7',
        'True-Client-IP': '203.0.113.7',
        'CF-Connecting-IP': '203.0.113.7',
      };
      for (const [name, value] of Object.entries(headers)) {
        const forwarded = await asked({ [name]: value });
        expect([name, forwarded.status, await forwarded.text()]).toEqual([
          name,
          403,
          expect.stringContaining('PERMISSION_DENIED'),
        ]);
      }
    } finally {
      await world.stop();
    }
  });

  it('GET /metrics needs the token where there is one', async () => {
    const world = await World.start({ METRICS_TOKEN: 'a token of the operator' });
    try {
      const asked = (headers: Record<string, string>) =>
        fetch(new URL('/metrics', world.origin), { headers });
      expect((await asked({})).status).toBe(403);
      expect((await asked({ Authorization: 'Bearer another' })).status).toBe(403);
      expect((await asked({ Authorization: 'Bearer a token of the operator' })).status).toBe(200);
    } finally {
      await world.stop();
    }
  });
});
