import { type Client } from '../support/client.js';
import { idOf } from '../support/plausible.js';
import { type TestUser, World } from '../support/world.js';
import { letsIn, profile } from '../support/worlds/nodes.js';
import { approved } from '../support/worlds/proposals.js';
import { StatementLog } from './statement-log.js';

const everything = { read: 'all', edit: 'all', propose: 'all', discover: 'all' } as const;
const mask = (strategy: string) => ({
  transformations: [{ type: 'field_mask', config: { paths: ['value'], strategy } }],
});
const levels = [mask('remove'), mask('hash'), { max_detail_level: 'summary' }];

/** A write of something hidden costs the same, whether it meets what is stored or not (rule 3.16f). */
describe('blind writes', () => {
  let world: World;
  let log: StatementLog;
  let alice: TestUser;

  beforeAll(async () => {
    world = await World.startHere();
    log = new StatementLog(world);
  });
  beforeEach(async () => {
    alice = await world.user();
  });
  afterAll(() => world.stop());

  const node = (rest: object = {}) => idOf(alice, '/nodes', { title: 'n', node_type: 'note', ...rest });
  const edge = async () =>
    idOf(alice, '/relationships', {
      from_node_id: await node(),
      to_node_id: await node(),
      relationship_type: 'near',
      context: 'secret',
    });
  const tag = async (name: string) => {
    const id = await idOf(alice, '/tags', { name });
    await alice.put(`/tags/${id}`, { description: 'secret', category: 'kind' });
    return id;
  };

  /** The statements of a write that meets the hidden value, and of one that does not, each to a thing of its own. */
  async function both(app: Client, make: () => Promise<string>, body: (said: string) => object) {
    const asked = async (said: string) =>
      log.of(app, { method: 'PUT', path: `//api/v1${await make()}`, body: body(said) });
    for (const said of ['secret', 'guess']) await asked(said);
    return [await asked('secret'), await asked('guess')] as const;
  }

  it.each(levels)(
    'a write of what its writer is not shown costs the same in a relationship (%j)',
    async (rest) => {
      const app = await letsIn(world, alice, profile(everything, rest));
      const make = async () => `/relationships/${await edge()}`;
      const [met, missed] = await both(app, make, (context) => ({ context }));
      expect(met).toBe(missed);
      expect(met).toMatch(/^200 .*relationship/);
    },
  );

  it.each(levels)('a write of what its writer is not shown costs the same in a tag (%j)', async (rest) => {
    const app = await letsIn(world, alice, profile(everything, rest));
    let count = 0;
    const make = async () => `/tags/${await tag(`tag ${++count} ${JSON.stringify(rest)}`)}`;
    const [met, missed] = await both(app, make, (description) => ({ description }));
    expect(met).toBe(missed);
    expect(met).toMatch(/^200 .*tag/);
  });

  it('a write of what its writer is not shown names a hidden parent of a tag as if it were none, whether it is the parent or not', async () => {
    const [child, parent, other] = [await tag('child'), await tag('parent'), await tag('other')];
    await alice.put(`/tags/${child}`, { parent_tag_id: parent });
    const some = [child];
    const app = await letsIn(world, alice, profile({ discover: some, read: some, edit: some }));
    expect((await app.get(`/tags/${child}`)).body.parent_tag_id).toBeNull();
    const asked = (parent_tag_id: string) =>
      log.of(app, { method: 'PUT', path: `/tags/${child}`, body: { parent_tag_id } });
    for (const id of [parent, other]) await asked(id);
    const [met, missed] = [await asked(parent), await asked(other)];
    expect(met).toMatch(/^404 /);
    expect(met).toBe(missed);
  });

  it.each(levels)(
    'a write of what its writer is not shown costs the same in a proposal that its app applies (%j)',
    async (rest) => {
      const app = await letsIn(world, alice, profile(everything, rest));
      const proposal = (content: object) => async () =>
        `/proposals/${await approved(alice, app, { ...content })}/apply`;
      const apply = async (path: string) => log.of(app, { method: 'POST', path, body: {} });
      const nodes = async (value: string) =>
        proposal({
          type: 'UPDATE_NODE',
          canonical_data: { node_id: await node({ value: 'secret' }), changes: { value } },
        })();
      const edges = async (context: string) =>
        proposal({
          type: 'UPDATE_RELATIONSHIP',
          canonical_data: { relationship_id: await edge(), changes: { context } },
        })();
      for (const make of [nodes, edges]) {
        for (const said of ['secret', 'guess']) await apply(await make(said));
        expect(await apply(await make('secret'))).toBe(await apply(await make('guess')));
      }
    },
  );

  it('a write of what its writer is not shown in secret since a proposal was made costs its app nothing', async () => {
    const app = await letsIn(world, alice, profile(everything, mask('remove')));
    const changed = async (edits: number) => {
      const node_id = await node({ value: 'secret', metadata: { list: [1] } });
      const changes = { metadata: { list: [1, 2] } };
      const path = `/proposals/${await approved(alice, app, { type: 'UPDATE_NODE', canonical_data: { node_id, changes } })}/apply`;
      for (let edit = 0; edit < edits; edit += 1) await alice.put(`/nodes/${node_id}`, { value: `${edit}` });
      return log.of(app, { method: 'POST', path, body: {} });
    };
    for (const edits of [0, 2]) await changed(edits);
    expect(await changed(2)).toBe(await changed(0));
  });
});
