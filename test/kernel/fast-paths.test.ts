import { FAST_PATHS } from '../../src/config/fast-paths.js';
import { type Answer } from '../support/client.js';
import { withWorld } from '../support/worlds/with-world.js';
import { World } from '../support/world.js';

/** Headers of the connection, and those whose value depends on the time. */
const VARYING = /^(connection|date|etag|keep-alive|x-request-id)$/;
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

const comparable = ({ status, text, headers }: Answer): object => ({
  status,
  text: text.replace(ID, '(id)').replace(TIME, '(time)'),
  headers: Object.entries(headers).filter(([name]) => !VARYING.test(name) && name !== 'content-length'),
});

/** Answers to lawful and unlawful requests of every kind that a fast path touches. */
async function answersOf(world: World): Promise<object[]> {
  const user = await world.user(`person${world.number()}`);
  const node = {
    title: 'a node',
    node_type: 'note',
    tags: ['one'],
    metadata: { properties: { a: [1, {}] } },
  };
  const made = await user.post('/nodes', node);
  const { id } = made.body as { id: string };
  const bodies: unknown[] = [
    { ...node, title: 5, tags: [5], unknown: true, importance_score: '0.5' },
    { title: '', metadata: [] },
    { ...node, title: null, privacy_level: 'loud' },
    [],
  ];
  const answers = [made];
  for (const body of bodies) {
    answers.push(await user.post('/nodes', body), await user.patch(`/nodes/${id}`, body));
    answers.push(await user.post('/nodes/batch', { nodes: [body, node], on_duplicate: 'skip' }));
    answers.push(await user.post('/exposure-profiles', body), await user.post('/relationships', body));
  }
  for (const path of [`/nodes/${id}`, '/nodes', '/nodes?limit=x&sort=no', '/nodes?limit=1&limit=2', '/Nodes'])
    answers.push(await user.get(path));
  for (const path of [
    '//health/live',
    '//',
    '//docs-json',
    '/nodes/',
    '/nodes/..%2f',
    `/nodes/${id}/history`,
  ])
    answers.push(await user.get(path));
  answers.push(await user.delete(`/nodes/${id}`), await user.get(`/nodes/${id}`));
  return answers.map(comparable);
}

describe('fast paths', () => {
  let fast: World;
  let plain: object[];

  withWorld((met) => (fast = met));

  it('a service without any fast path gives the same answers', async () => {
    const world = await World.startHere({ FAST_PATHS_OFF: FAST_PATHS.join(','), RATE_LIMITS: 'off' });
    try {
      plain = await answersOf(world);
    } finally {
      await world.stop();
    }
    expect(await answersOf(fast)).toEqual(plain);
  });
});
