import { jest } from '@jest/globals';
import { PART_BYTES } from '../../../src/kernel/database/page-bytes.js';
import { ReadBytes } from '../../support/read-bytes.js';
import { type TestUser, World } from '../../support/world.js';
import { letsIn, node, profile } from '../../support/worlds/nodes.js';

const COUNT = 40;
/** The most characters of a context, each of three bytes. */
const CONTEXT = '€'.repeat(10_000);
const CONTEXT_BYTES = 30_000;
/** The bytes of a page's part, with its last row. */
const MOST = PART_BYTES + 2 * CONTEXT_BYTES;

describe('lists of relationships with large contexts (rule 4.16e)', () => {
  let world: World;
  let user: TestUser;
  let newestFirst: string[];
  beforeAll(async () => {
    world = await World.startHere();
    user = await world.user();
    const [from_node_id, to_node_id] = [(await node(user)).id, (await node(user)).id];
    const ids: string[] = [];
    for (let number = 0; number < COUNT; number++) {
      const body = { from_node_id, to_node_id, relationship_type: 'knows', context: CONTEXT };
      const made = await user.post('/relationships', body);
      expect(made.status).toBe(201);
      ids.push(made.body.id as string);
    }
    newestFirst = ids.reverse();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  const idsOf = (body: { relationships: { id: string }[] }) => body.relationships.map(({ id }) => id);

  it('a list of relationships reads contexts in parts of few bytes, in its order', async () => {
    const read = new ReadBytes();
    const { body } = await user.get('/relationships?limit=200');
    expect([body.total, body.limit]).toEqual([COUNT, 200]);
    expect(idsOf(body)).toEqual(newestFirst);
    expect(body.relationships[0].context).toBe(CONTEXT);
    expect(read.total).toBeGreaterThan(COUNT * CONTEXT_BYTES);
    expect(read.most).toBeLessThan(MOST);
  });

  it('a list of relationships by a masked type looks for types without reading contexts', async () => {
    const app = await letsIn(world, user, profile({ read: 'all' }, { transformations: ['pii_redaction'] }));
    const read = new ReadBytes();
    const { body } = await app.get('/relationships?relationship_type=knows&limit=1');
    expect([body.total, idsOf(body)]).toEqual([COUNT, newestFirst.slice(0, 1)]);
    expect(read.mostOf('relationships-as-shown')).toBeGreaterThan(0);
    expect(read.mostOf('relationships-as-shown')).toBeLessThan(CONTEXT_BYTES);
  });
});
