import { jest } from '@jest/globals';
import { PAGE_BYTES, PART_BYTES } from '../../src/kernel/database/page-bytes.js';
import { node } from '../support/worlds/nodes.js';
import { ReadBytes } from '../support/read-bytes.js';
import { type TestUser, type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';
import { type Page, pull, steps } from './pages.js';

const LARGE = { metadata: { properties: { text: 'm'.repeat(250_000) } } };
const SMALL = { metadata: { properties: { text: 'm' } } };
const COUNT = 12;
/** The bytes of a page's part, with its last row, which may be large. */
const MOST = 2 * PART_BYTES;

describe('a sync page over states of large nodes (rule 4.7b)', () => {
  let world: World;
  let user: TestUser;
  withWorld((started) => (world = started));
  beforeEach(async () => {
    user = await world.user();
  });
  afterEach(() => jest.restoreAllMocks());

  const nodes = async (fields: object, count = COUNT): Promise<string[]> => {
    const ids: string[] = [];
    for (let number = 0; number < count; number++)
      ids.push((await node(user, { title: `node ${number}`, ...fields })).id as string);
    return ids;
  };
  const put = async (ids: readonly string[], fields: object): Promise<void> => {
    for (const id of ids) expect((await user.put(`/nodes/${id}`, fields)).status).toBe(200);
  };
  const drain = async (): Promise<string> => {
    let page: Page = await pull(user);
    while (page.has_more) page = await pull(user, { cursor: page.cursor });
    return page.cursor as string;
  };

  it('reads the states that a client holds in parts of few bytes', async () => {
    const ids = await nodes(LARGE);
    const cursor = await drain();
    await put(ids, SMALL);
    const read = new ReadBytes();
    const page = await pull(user, { cursor });
    expect(steps(page)).toEqual(ids.map((id) => ['update', id, ['metadata']]));
    expect(read.total).toBeGreaterThan(COUNT * 250_000);
    expect(read.most).toBeLessThan(MOST);
  });

  it('reads nodes that grew after its pass began until they fill it, in parts of few bytes', async () => {
    const ids = await nodes(SMALL, 32);
    const begun = await pull(user, { limit: 1 });
    await put(ids, LARGE);
    const read = new ReadBytes();
    const page = await pull(user, { cursor: begun.cursor, limit: 1000 });
    expect(page.has_more).toBe(true);
    expect(steps(page)).toEqual(ids.slice(1, 1 + page.changes.length).map((id) => ['create', id]));
    expect(read.total).toBeGreaterThan(PAGE_BYTES);
    expect(read.total).toBeLessThan(PAGE_BYTES + 2 * MOST);
    expect(read.most).toBeLessThan(MOST);
  });

  it('reads the last states of deleted nodes in parts of few bytes', async () => {
    const ids = await nodes(SMALL);
    const cursor = await drain();
    await put(ids, LARGE);
    for (const id of ids) expect((await user.delete(`/nodes/${id}`)).status).toBeLessThan(300);
    const read = new ReadBytes();
    const page = await pull(user, { cursor });
    expect(page.changes.map(({ deleted_title: title }: Page) => title)).toEqual(
      ids.map((_, number) => `node ${number}`),
    );
    expect(steps(page)).toEqual(ids.map((id) => ['delete', id, 'deleted']));
    expect(read.total).toBeGreaterThan(COUNT * 250_000);
    expect(read.most).toBeLessThan(MOST);
  });
});
