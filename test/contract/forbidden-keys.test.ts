import { type Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';

/** Keys that reach an object's prototype, in arrays that are checked as a whole or item by item. */
describe('__proto__', () => {
  let world: World;
  let user: TestUser;
  let app: Client;
  beforeAll(async () => {
    world = await World.start();
    user = await world.user();
    app = await user.lets(await world.app());
  });
  afterAll(() => world.stop());

  const HOSTILE = ['__proto__', 'constructor', 'prototype'].flatMap((key) =>
    ['{"polluted":1}', 'null', '1', '{"prototype":null}'].map((value) => `{"${key}":${value}}`),
  );

  it.each(HOSTILE)('keys that reach a prototype are refused instead of a number: %s', async (hostile) => {
    const { body: node } = await user.post('/nodes', { title: 'a node', node_type: 'note' });
    const vector = `{"embedding":[${hostile},-0.53,0.84]}`;
    const answers = [
      await user.put(`/nodes/${node.id}/embedding`, vector),
      await user.post('/nodes/search/vector', vector),
      await user.post('/nodes/search', `{"query":"x","embedding":[${hostile}]}`),
    ];
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(
      answers.map(() => [400, 'VALIDATION_ERROR']),
    );
  });

  it.each(HOSTILE)('keys that reach a prototype fail only their item of a batch: %s', async (hostile) => {
    const { body: node } = await user.post('/nodes', { title: 'a node', node_type: 'note' });
    const batches = [
      await user.post(
        '/nodes/batch',
        `{"nodes":[${hostile},{"title":"a","node_type":"note","metadata":${hostile}}]}`,
      ),
      await user.put(
        '/nodes/batch/embeddings',
        `{"embeddings":[{"id":"${node.id}","embedding":[${hostile}]}]}`,
      ),
      await user.put('/nodes/batch/embeddings', `{"embeddings":[${hostile}]}`),
      await app.post('/proposals/batch', `{"proposals":[${hostile},{"canonical_data":${hostile}}]}`),
    ];
    expect(batches.map(({ status, text }) => [status < 500, text])).toEqual(
      batches.map(({ text }) => [true, text]),
    );
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});
