import { letsIn, node, profile, tagId } from '../support/worlds/nodes.js';
import { everything } from '../support/defaults.js';
import { type TestUser, type World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';
import { EventReader, type Page, pull } from './pages.js';

let world: World;
let alice: TestUser;

withAlice((met) => ({ world, alice } = met));

const BOTH = { include: 'relationships,tags' };

/** The entries of a page in few words. */
const brief = ({ changes }: Page): unknown[] =>
  changes.map((entry: Page) => [
    entry.entity,
    entry.action,
    entry[`${entry.entity}_id`] ?? entry[entry.entity].id,
    ...(entry.reason === undefined ? [] : [entry.reason]),
  ]);

async function connected(from: string, to: string, body: object = {}): Promise<string> {
  const ends = { from_node_id: from, to_node_id: to, relationship_type: 'near' };
  const made = await alice.post('/relationships', { ...ends, ...body });
  expect(made.status).toBe(201);
  return made.body.id as string;
}

/** Two nodes that the app reads, one that it does not, and an edge between each pair. */
async function furnished() {
  const open = await tagId(alice, 'open');
  const secret = await tagId(alice, 'secret');
  const [one, two] = [await node(alice, { tags: ['open'] }), await node(alice, { tags: ['open'] })];
  const hidden = await node(alice, { tags: ['secret'] });
  const edge = await connected(one.id, two.id);
  const hiddenEdge = await connected(one.id, hidden.id, { context: 'buried' });
  const app = await letsIn(world, alice, profile({ discover: [open], read: [open] }));
  return { app, open, secret, one, two, hidden, edge, hiddenEdge };
}

const edit = async (path: string, body: object): Promise<void> => {
  expect((await alice.put(path, body)).status).toBe(200);
};

describe('relationships and tags of a replica (rule 7.13)', () => {
  it('a pull with relationships and tags sends nodes, then both, and relationships of hidden nodes never', async () => {
    const { app, open, one, two, edge } = await furnished();
    const page = await pull(app, BOTH);
    expect(brief(page)).toEqual([
      ['node', 'create', one.id],
      ['node', 'create', two.id],
      ['tag', 'create', open],
      ['relationship', 'create', edge],
    ]);
    const read = await app.get('/relationships?access=owned');
    expect([page.changes[3].relationship]).toEqual(read.body.relationships);
    expect([page.changes[2].tag]).toEqual((await app.get('/tags?access=owned')).body.tags);
    expect(page.changes.map(({ version }: Page) => version)).toEqual([1, 2, 3, 4]);
    expect(page.stats).toEqual({ created: 4, updated: 0, deleted: 0, total: 4 });
  });

  it('a pull without relationships and tags has the answer that it had before', async () => {
    const { app } = await furnished();
    const page = await pull(app);
    expect(page.changes.map((entry: Page) => Object.keys(entry))).toEqual(
      Array(2).fill(['action', 'timestamp', 'version', 'node_version', 'node']),
    );
    expect(page.cursor).toHaveLength(123);
  });

  it('a cursor without relationships and tags begins them from nothing, and one with them keeps them', async () => {
    const { app, open, edge } = await furnished();
    const nodes = await pull(app);
    const both = await pull(app, { ...BOTH, cursor: nodes.cursor });
    expect(brief(both)).toEqual([
      ['tag', 'create', open],
      ['relationship', 'create', edge],
    ]);
    await edit(`/relationships/${edge}`, { strength: 0.5 });
    const without = await pull(app, { cursor: both.cursor });
    expect(without.changes).toEqual([]);
    const again = await pull(app, { include: 'relationships', cursor: without.cursor });
    expect(brief(again)).toEqual([['relationship', 'update', edge]]);
    expect(again.changes[0].changed_fields).toEqual(['strength']);
  });

  it('a relationship leaves with its end, for the reason that the caller may know', async () => {
    const { app, one, two, edge } = await furnished();
    const third = await node(alice, { tags: ['open'] });
    const other = await connected(two.id, third.id);
    const { cursor } = await pull(app, BOTH);
    await edit(`/nodes/${one.id}`, { tags: ['secret'] });
    await alice.delete(`/nodes/${third.id}`);
    const page = await pull(app, { include: 'relationships', cursor });
    expect(brief(page).filter((entry) => (entry as string[])[0] === 'relationship')).toEqual([
      ['relationship', 'delete', edge, 'access_removed'],
      ['relationship', 'delete', other, 'deleted'],
    ]);
    await alice.delete(`/relationships/${edge}`);
    await alice.post(`/nodes/${third.id}/restore`);
    const next = await pull(app, { include: 'relationships', cursor: page.cursor });
    expect(brief(next)).toContainEqual(['relationship', 'create', other]);
    expect(JSON.stringify(next)).not.toContain(edge);
  });

  it('hidden relationships and tags change neither entries nor the lengths of cursors of a pass', async () => {
    const { app, one, hidden, secret } = await furnished();
    const third = await node(alice, { tags: ['open'] });
    for (let count = 0; count < 6; count++)
      await connected(one.id, third.id, { relationship_type: `r${count}` });
    const walk = async (act: (page: number) => Promise<unknown>) => {
      const seen: unknown[] = [];
      let page: Page = { has_more: true };
      for (let number = 0; page.has_more; number++) {
        page = await pull(app, { ...BOTH, limit: 1, ...(page.cursor ? { cursor: page.cursor } : {}) });
        seen.push([brief(page), page.changes.map((entry: Page) => entry.version), page.cursor.length]);
        await act(number);
      }
      return seen;
    };
    const still = await walk(() => Promise.resolve());
    const moved = await walk(async (page) => {
      const buried = await connected(one.id, hidden.id, { context: `buried ${page}` });
      await edit(`/relationships/${buried}`, { context: `buried again ${page}` });
      await edit(`/tags/${secret}`, { name: `secret ${page}` });
    });
    expect(moved).toEqual(still);
    expect(still).toHaveLength(11);
  });

  it('a scope holds the relationships whose two ends are in it, and all tags that the caller knows', async () => {
    const { one, two, edge } = await furnished();
    const work = await tagId(alice, 'work');
    const scoped = { ...BOTH, scope: `tag:${work}` };
    const first = await pull(alice, scoped);
    expect(first.changes.every(({ entity }: Page) => entity === 'tag')).toBe(true);
    await edit(`/nodes/${one.id}`, { tags: ['open', 'work'] });
    await edit(`/nodes/${two.id}`, { tags: ['open', 'work'] });
    const second = await pull(alice, { ...scoped, cursor: first.cursor });
    expect(brief(second)).toContainEqual(['relationship', 'create', edge]);
    await edit(`/nodes/${two.id}`, { tags: ['open'] });
    const third = await pull(alice, { ...scoped, cursor: second.cursor });
    expect(brief(third)).toContainEqual(['relationship', 'delete', edge, 'scope_left']);
  });

  it('a deleted tag leaves the replica, and a tag that a profile no longer grants does', async () => {
    const { open, secret } = await furnished();
    const made = await world.app({ requested: { ...everything, tags: { discover: true, read: true } } });
    const given = await alice.authorizes(made, profile({ discover: [open, secret], read: [open] }));
    const app = made.as(alice);
    const { cursor } = await pull(app, { include: 'tags' });
    await edit(`/exposure-profiles/${given.profile.id}`, profile({ discover: [open], read: [open] }));
    const narrowed = await pull(app, { include: 'tags', cursor });
    expect(brief(narrowed)).toEqual([['tag', 'delete', secret, 'access_removed']]);
    await edit(`/tags/${open}`, { name: 'opened' });
    const renamed = await pull(app, { include: 'tags', cursor: narrowed.cursor });
    expect(renamed.changes.at(-1)).toMatchObject({
      entity: 'tag',
      action: 'update',
      changed_fields: ['name'],
    });
  });

  it('pulls with ids alone name the entity and its id, for owners with the number and time of the change', async () => {
    const { edge } = await furnished();
    const page = await pull(alice, { include: 'relationships', ids_only: true });
    const entry = page.changes.find((one: Page) => one.relationship_id === edge);
    expect(entry).toEqual({
      entity: 'relationship',
      action: 'create',
      timestamp: expect.any(String),
      version: expect.any(Number),
      relationship_id: edge,
    });
    expect(entry.version).toBeGreaterThan(page.changes.length);
  });

  it('a waiting pull and a stream report relationships', async () => {
    const { app, one, two } = await furnished();
    const { cursor } = await pull(app, BOTH);
    const waiting = pull(app, { ...BOTH, cursor, wait: 30 });
    const path = `/sync/stream?include=relationships&cursor=${cursor}`;
    const stream = await EventReader.open(world.origin, path, app.credentials);
    const edge = await connected(two.id, one.id);
    expect(brief(await waiting)).toEqual([['relationship', 'create', edge]]);
    expect(brief((await stream.next()).data)).toEqual([['relationship', 'create', edge]]);
    stream.leave();
  });

  it('the state of an app counts what its last cursor includes', async () => {
    const { app, edge } = await furnished();
    const { cursor } = await pull(app, BOTH);
    await pull(app, { ...BOTH, cursor });
    await edit(`/relationships/${edge}`, { strength: 0.25 });
    expect((await app.get('/sync/status')).body.pending_changes).toBe(1);
  });

  it.each(['', 'nodes', 'tags,tags', 'tags,', 'TAGS'])('an unknown part is refused: %j', async (include) => {
    const { status, body } = await alice.get(`/sync?include=${include}`);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});
