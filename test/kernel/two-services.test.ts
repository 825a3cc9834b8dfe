import { World } from '../support/world.js';

it('a second service in one process answers repeated requests from its own database', async () => {
  const body = { title: 'once', node_type: 'NOTE' };
  const headers = { 'Idempotency-Key': 'same key' };
  const ids = new Set<string>();
  const first = await World.start();
  const second = await World.start();
  for (const world of [first, second]) {
    const user = await world.user('alice');
    const answers = [
      await user.post('/nodes', body, { headers }),
      await user.post('/nodes', body, { headers }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[1]?.body.id).toBe(answers[0]?.body.id);
    ids.add(answers[0]?.body.id as string);
  }
  expect(ids.size).toBe(2);
  await first.stop();
  await second.stop();
});
