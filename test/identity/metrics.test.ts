import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callTool } from '../support/mcp.js';
import { World } from '../support/world.js';

describe('/apps/:app_id/metrics', () => {
  let world: World;
  beforeAll(async () => {
    // A process's counts reach the others with its next write behind the answers.
    world = await World.startHere();
  });
  afterAll(() => world.stop());

  it('metrics of an app have counts, endpoints and times, without ids', async () => {
    const [alice, app] = [await world.user(), await world.app()];
    const client = await alice.lets(app);
    const { body: node } = await client.post('/nodes', { title: 'counted', node_type: 'NOTE' });
    for (let i = 0; i < 3; i++) await client.get(`/nodes/${node.id}`);
    await client.get('/nodes/5b0c2f3e-8a41-4d57-9d53-1a2b3c4d5e6f');
    await client.get('/exposure-profiles');
    const { status, body } = await app.alone.get(`/third-party/${app.id}/metrics`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ third_party_id: app.id, total_requests: 6, total_errors: 2 });
    expect(body.endpoints).toEqual([
      { endpoint: 'GET /nodes/:node_id', requests: 4, errors: 1, average_ms: expect.any(Number) },
      { endpoint: 'GET /exposure-profiles', requests: 1, errors: 1, average_ms: expect.any(Number) },
      { endpoint: 'POST /nodes', requests: 1, errors: 0, average_ms: expect.any(Number) },
    ]);
    expect(body.by_day).toEqual([{ date: new Date().toISOString().slice(0, 10), requests: 6, errors: 2 }]);
    expect(body.by_hour_of_day).toHaveLength(1);
  });

  it('calls of tools count by the requests that they make, and the messages around them do not', async () => {
    const [alice, app] = [await world.user(), await world.app()];
    const client = await alice.lets(app);
    for (const title of ['one', 'two', 'three']) await callTool(client, 'remember', { title });
    await callTool(client, 'list_nodes');
    const { body } = await app.alone.get(`/third-party/${app.id}/metrics`);
    expect(body.total_requests).toBe(4);
    expect(body.endpoints.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual([
      'POST /nodes',
      'GET /nodes',
    ]);
  });

  it('metrics of an app are visible to the app alone', async () => {
    const [one, other, alice] = [await world.app(), await world.app(), await world.user()];
    expect((await one.alone.get(`/third-party/${other.id}/metrics`)).status).toBe(404);
    expect((await one.alone.get(`/third-party/${one.id}/metrics`)).body).toMatchObject({ total_requests: 1 });
    expect((await alice.get(`/third-party/${one.id}/metrics`)).status).toBe(403);
    expect((await one.alone.get(`/third-party/${one.id}/metrics?days=0`)).status).toBe(400);
    for (const id of [other.id, 'no-id'])
      expect((await one.alone.get(`/third-party/${id}/metrics?days=x`)).status).toBe(404);
  });
});
