import { operationsOf } from '../support/operations.js';
import { pathOf, Place } from '../support/plausible.js';
import { World } from '../support/world.js';
import { ReadMessages } from './read-messages.js';

describe('VALIDATION_ERROR', () => {
  let world: World;
  let place: Place;

  beforeAll(async () => {
    world = await World.startHere();
    place = await Place.make(world);
  });
  afterAll(() => world.stop());

  it('messages about invalid fields are short and name the field once, for every field of every query', async () => {
    const messages = new ReadMessages();
    for (const operation of operationsOf(world.nest)) {
      const path = pathOf(operation, place.things);
      for (const { name } of operation.parameters.filter((parameter) => parameter.in === 'query')) {
        const joint = path.includes('?') ? '&' : '?';
        for (const value of ['', '-1', 'x', 'x'.repeat(3_000)]) {
          const client = place.clientFor(operation);
          messages.read(
            operation.name,
            await client.send(operation.method, `${path}${joint}${name}=${value}`),
          );
        }
      }
    }
    expect([...messages.faults]).toEqual([]);
    expect(messages.heard).toBeGreaterThan(100);
  }, 300_000);

  it.each([
    ['/tags', { name: 'x', color: 'red' }, 'color', 'must be #RRGGBB'],
    ['/tags', {}, 'name', 'is required'],
    ['/tags', { name: null }, 'name', 'must not be null'],
    ['/tags', { name: '' }, 'name', 'must not be empty'],
    ['/tags/bulk-delete', { tag_ids: [7] }, 'tag_ids', 'each entry must be a string'],
    [
      '/exposure-profiles',
      { name: 'p', max_detail_level: 'most' },
      'max_detail_level',
      'must be one of full, summary, minimal',
    ],
  ])('messages about invalid fields are exact: %s %j', async (path, body, field, message) => {
    const { status, body: answer } = await place.user.post(path, body);
    expect({ status, details: answer.error?.details }).toEqual({
      status: 400,
      details: [{ field, message }],
    });
    expect(answer.error.message).toBe(`${field}: ${message}`);
  });
});
