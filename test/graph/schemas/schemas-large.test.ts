import { jest } from '@jest/globals';
import { PAGE_BYTES, PART_BYTES } from '../../../src/kernel/database/page-bytes.js';
import { ReadBytes } from '../../support/read-bytes.js';
import { type TestUser, World } from '../../support/world.js';
import { schema } from '../../support/worlds/schemas.js';

const COUNT = 12;
const DEFINITION_BYTES = 60_000;
/** The bytes of a page's part, with its last row. */
const MOST = 2 * PART_BYTES;

const definition = (number: number) => ({ description: `${number} ${'d'.repeat(DEFINITION_BYTES)}` });

describe('lists of large schemas (rule 5.6d)', () => {
  let world: World;
  let user: TestUser;
  beforeAll(async () => {
    world = await World.startHere();
    user = await world.user();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  it('a list of schemas without definitions reads none of them', async () => {
    for (let number = 0; number < COUNT; number++) await schema(user, { json_schema: definition(number) });
    const read = new ReadBytes();
    const { status, body } = await user.get('/schemas?owner=user');
    expect([status, body.schemas.length, body.limit]).toEqual([200, COUNT, 50]);
    expect(read.total).toBeLessThan(DEFINITION_BYTES);
  });

  it('a list of versions reads definitions in parts of few bytes, or none', async () => {
    const { id } = await schema(user, { schema_metadata: { b: 1, a: 2 }, json_schema: definition(0) });
    for (let number = 1; number < COUNT; number++) {
      expect((await user.put(`/schemas/${id}`, { json_schema: definition(number) })).status).toBe(200);
    }
    const read = new ReadBytes();
    const path = `/schemas/${id}/versions`;
    const without = await user.get(`${path}?include_json_schema=false`);
    expect(without.body.versions.map(({ version }: { version: number }) => version)).toEqual(
      Array.from({ length: COUNT }, (_, number) => COUNT - number),
    );
    // The locator reads the schema itself.
    expect(read.total).toBeLessThan(2 * DEFINITION_BYTES);
    const whole = await user.get(path);
    const [newest] = whole.body.versions;
    expect(whole.body.versions).toHaveLength(COUNT);
    expect(newest).toEqual((await user.get(`/schemas/${id}`)).body);
    expect(Object.keys(newest.schema_metadata)).toEqual(['b', 'a']);
    expect(read.total).toBeGreaterThan(COUNT * DEFINITION_BYTES);
    expect(read.most).toBeLessThan(MOST);
  });

  it('a list of schemas with definitions ends with its bytes and reads them in parts of few bytes', async () => {
    const schema_metadata = { text: 'm'.repeat(60_000) };
    const large = { category: 'large', schema_metadata };
    const count = 40;
    for (let number = 0; number < count; number++)
      await schema(user, { ...large, json_schema: definition(number) });
    const read = new ReadBytes();
    const { body } = await user.get('/schemas?category=large&include_json_schema=true');
    expect([body.total, body.limit]).toEqual([count, body.schemas.length]);
    expect(body.schemas.length).toBeLessThan(count);
    expect(body.schemas).toEqual(
      body.schemas.map((_: object, place: number) =>
        expect.objectContaining({ schema_metadata, json_schema: definition(count - 1 - place) }),
      ),
    );
    expect(JSON.stringify(body).length).toBeLessThan(1.1 * PAGE_BYTES);
    expect(read.total).toBeGreaterThan(PAGE_BYTES - MOST);
    expect(read.most).toBeLessThan(MOST);
  });
});
