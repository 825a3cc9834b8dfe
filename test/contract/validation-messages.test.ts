import { type Operation, operationsOf, withValue } from '../support/operations.js';
import { bodyOf, pathOf, Place } from '../support/plausible.js';
import { World } from '../support/world.js';

const VALUES = [null, 7, -7.5, 1e300, '', '?', 'x'.repeat(200_000), [], [null], [{}], {}, true, undefined];

interface Detail {
  field: string;
  message: string;
}

/** What a person could not read: the field's name once more, a pattern, a placeholder, a whole paragraph. */
function faultOf({ field, message }: Detail): string | null {
  const name = field.split('.').findLast((part) => !/^\d+$/.test(part)) ?? '';
  if (name !== '' && new RegExp(`\\b${name}\\b`).test(message)) return 'repeats the field';
  if (/[\^\\]|\$\w|regular expression|each value|should not/.test(message)) return 'is not for people';
  return message.length > 200 ? 'is too long' : null;
}

describe('what is said of wrong fields', () => {
  let world: World;
  let place: Place;
  let operations: Operation[];

  beforeAll(async () => {
    world = await World.startHere();
    place = await Place.make(world);
    operations = operationsOf(world.nest);
  });
  afterAll(() => world.stop());

  async function detailsOf(operation: Operation, path: string, body?: unknown): Promise<Detail[]> {
    const { body: answer } = await place.clientFor(operation).send(operation.method, path, body);
    const details = (answer as { error?: { details?: unknown } })?.error?.details;
    return Array.isArray(details) ? (details as Detail[]).filter(({ message }) => message !== undefined) : [];
  }

  it('is short and names the field once, for every field of every body and query', async () => {
    const faults = new Set<string>();
    let heard = 0;
    const look = (operation: Operation, details: Detail[]): void => {
      for (const detail of details) {
        heard++;
        const fault = faultOf(detail);
        if (fault) faults.add(`${operation.name} ${detail.field}: ${detail.message} (${fault})`);
      }
    };
    for (const operation of operations) {
      const path = pathOf(operation, place.things);
      for (const { at } of operation.fields) {
        for (const value of VALUES) {
          const body = withValue(bodyOf(operation, place.things, heard) ?? {}, at, value);
          look(operation, await detailsOf(operation, path, body));
        }
      }
      for (const { name } of operation.parameters.filter((parameter) => parameter.in === 'query')) {
        const joint = path.includes('?') ? '&' : '?';
        for (const value of ['', '-1', 'x', 'x'.repeat(3_000)])
          look(operation, await detailsOf(operation, `${path}${joint}${name}=${value}`));
      }
    }
    expect([...faults]).toEqual([]);
    expect(heard).toBeGreaterThan(500);
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
  ])('%s %j', async (path, body, field, message) => {
    const { status, body: answer } = await place.user.post(path, body);
    expect({ status, details: answer.error?.details }).toEqual({
      status: 400,
      details: [{ field, message }],
    });
    expect(answer.error.message).toBe(`${field}: ${message}`);
  });
});
