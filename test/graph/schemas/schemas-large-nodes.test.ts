import { jest } from '@jest/globals';
import { PART_BYTES } from '../../../src/kernel/database/page-bytes.js';
import { JsonSchemaWorkers } from '../../../src/libs/json-schema/workers.js';
import { ReadBytes } from '../../support/read-bytes.js';
import { type TestUser, World } from '../../support/world.js';

const COUNT = 12;

describe('validation of many nodes', () => {
  let world: World;
  let user: TestUser;
  beforeAll(async () => {
    world = await World.startHere();
    user = await world.user();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  it('large nodes under a schema are read and validated in parts of few bytes when the schema changes, and all misfits are counted', async () => {
    const schema = await user.post('/schemas', { name: 'Log', json_schema: { type: 'object' } });
    const nodes = Array.from({ length: COUNT }, (_, number) => ({
      title: `entry ${number}`,
      node_type: 'note',
      schema_id: schema.body.id as string,
      metadata: { text: `${number} ${'m'.repeat(250_000)}` },
    }));
    const validated = jest.spyOn(JsonSchemaWorkers.prototype, 'run');
    const textsOfTasks = () =>
      validated.mock.calls.map(([, { values }]) => values.reduce((sum, text) => sum + text.length, 0));
    expect((await user.post('/nodes/batch', { nodes })).status).toBe(201);
    expect(textsOfTasks().reduce((sum, length) => sum + length)).toBeGreaterThan(COUNT * 250_000);
    expect(Math.max(...textsOfTasks())).toBeLessThan(2.5 * 1024 * 1024);

    validated.mockClear();
    const read = new ReadBytes();
    const json_schema = { type: 'object', required: ['date'] };
    const { status, body } = await user.put(`/schemas/${schema.body.id}?dry_run=true`, { json_schema });
    expect([status, body.invalid_nodes]).toEqual([200, COUNT]);
    expect(read.total).toBeGreaterThan(COUNT * 250_000);
    expect(read.most).toBeLessThan(2 * PART_BYTES);
    expect(Math.max(...textsOfTasks())).toBeLessThan(2 * PART_BYTES);
  });
});
