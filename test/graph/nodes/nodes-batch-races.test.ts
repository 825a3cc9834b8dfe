import { jest } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { NodesBatchService } from '../../../src/graph/nodes/application/nodes-batch.service.js';
import { NodeDuplicates } from '../../../src/graph/nodes/infrastructure/node-duplicates.queries.js';
import { Database } from '../../../src/kernel/database/database.js';
import { sql } from '../../../src/kernel/database/sql.js';
import { NodesRepository } from '../../../src/graph/nodes/infrastructure/nodes.repository.js';
import { TagsRepository } from '../../../src/graph/tags/infrastructure/tags.repository.js';
import { onPostgres } from '../../support/database.js';
import { type TestUser, type World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { afterTheLook, item } from './batches.js';
import { codeOf, letsIn, node, profile, tagId } from '../../support/worlds/nodes.js';

describe('a batch of nodes', () => {
  let world: World;
  let alice: TestUser;

  withAlice((met) => ({ world, alice } = met));
  afterEach(() => jest.restoreAllMocks());

  const overwrite = (...nodes: unknown[]) => alice.post('/nodes/batch', { nodes, on_duplicate: 'overwrite' });
  const tagNames = async () =>
    (await alice.get('/tags')).body.tags.map(({ name }: { name: string }) => name) as string[];

  /** Runs this after the batch has looked for duplicates without a lock. */
  const afterTheGlance = (work: () => Promise<void>): void => {
    const duplicates = world.nest.get(NodeDuplicates);
    const glance = duplicates.glance.bind(duplicates);
    jest.spyOn(duplicates, 'glance').mockImplementationOnce(async (...given) => {
      const seen = await glance(...given);
      await work();
      return seen;
    });
  };

  it('a batch that overwrites locks tags before nodes, like every other write', async () => {
    await node(alice, { title: 'a', tags: ['x'] });
    const [tags, nodes] = [world.nest.get(TagsRepository), world.nest.get(NodesRepository)];
    const locks: string[] = [];
    const [lockAll, lock] = [tags.lockAll.bind(tags), nodes.lock.bind(nodes)];
    jest.spyOn(tags, 'lockAll').mockImplementation((id) => (locks.push('tags'), lockAll(id)));
    jest.spyOn(nodes, 'lock').mockImplementation((...given) => (locks.push('nodes'), lock(...given)));
    expect((await overwrite(item('a', { tags: ['x', 'new'] }))).body.summary).toMatchObject({ updated: 1 });
    expect(locks.slice(0, 2)).toEqual(['tags', 'nodes']);
  });

  it('a batch that read without a lock is not written if another write has happened since', async () => {
    const [named, other] = [await tagId(alice, 'x'), await world.user()];
    afterTheGlance(async () => void (await node(alice, { title: 'a' })));
    const { body } = await alice.post('/nodes/batch', {
      nodes: [item('a'), item('b', { tags: ['x', 'new'] })],
    });
    expect(body.summary).toEqual({ total: 2, created: 1, skipped: 1, updated: 0, errors: 0 });
    expect((await alice.get('/nodes')).body.total).toBe(2);
    const changes = (await alice.get('/sync')).body.changes as { node: { title: string } }[];
    expect(changes.map(({ node: { title } }) => title)).toEqual(['a', 'b']);
    // Nor does a tag exist twice that the first attempt had created; writers of another graph do not
    // interfere.
    expect((await alice.get('/tags')).body.tags.map(({ id }: { id: string }) => id)).toContain(named);
    expect((await tagNames()).sort()).toEqual(['new', 'x']);
    const locked = jest.spyOn(world.nest.get(NodeDuplicates), 'lock');
    afterTheGlance(async () => void (await node(other, { title: 'c' })));
    const again = await alice.post('/nodes/batch', { nodes: [item('c'), item('d')] });
    expect(again.body.summary).toMatchObject({ created: 2 });
    expect(locked).not.toHaveBeenCalled();
  });

  it.each([{}, { agent_metadata: { agent_name: 'reader', session_id: 'morning' } }])(
    'leaves nothing behind of an attempt that could not be written: %j',
    async (rest) => {
      afterTheGlance(async () => void (await node(alice, { title: 'a' })));
      const find = jest
        .spyOn(world.nest.get(NodeDuplicates), 'find')
        .mockRejectedValue(new Error('enough seen'));
      const { status } = await alice.post('/nodes/batch', { nodes: [item('b', rest), item('c', rest)] });
      expect([status, find.mock.calls.length]).toEqual([500, 1]);
      const [rows] = await world.nest.get(Database).read(sql`SELECT
        (SELECT count(*) FROM nodes WHERE owner_id = ${alice.id}) AS nodes,
        (SELECT count(*) FROM node_words WHERE owner_id = ${alice.id}) AS words,
        (SELECT count(*) FROM changes WHERE owner_id = ${alice.id} AND entity = 'node') AS changes,
        (SELECT count(*) FROM contributions WHERE owner_id = ${alice.id}) AS contributions,
        (SELECT count(*) FROM sessions WHERE owner_id = ${alice.id}) AS sessions`);
      expect(rows).toEqual({ nodes: 1, words: 1, changes: 1, contributions: 1, sessions: 0 });
    },
  );

  it('waits for another batch of the same owner, and finds the nodes that it created', async () => {
    jest.spyOn(world.nest.get(NodeDuplicates), 'glance').mockResolvedValue(null);
    const batches = jest.spyOn(world.nest.get(NodesBatchService), 'run');
    // On the embedded database the others cannot run before this transaction ends.
    if (onPostgres)
      afterTheLook(world, async () => {
        while (batches.mock.calls.length < 3) await setImmediate();
        // Gives callers that do not wait for the lock time to read, too.
        for (let turn = 0; turn < 100; turn++) await setImmediate();
      });
    const same = () => alice.post('/nodes/batch', { nodes: [item('once')] });
    const answers = await Promise.all([same(), same(), same()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect((await alice.get('/nodes')).body.total).toBe(1);
  });

  it('leaves no tags behind for an item that fails', async () => {
    await node(alice, { title: 'a', tags: ['x'] });
    const misfit = await overwrite(item('a', { meaning_level: 'IDENTITY', tags: ['x', 'brand-new'] }));
    expect(misfit.body.errors).toMatchObject([{ code: 'INVALID_NODE_TYPE' }]);
    expect(await tagNames()).toEqual(['x']);
    const [open, closed] = [await tagId(alice, 'open'), await tagId(alice, 'closed')];
    await node(alice, { title: 'b', tags: ['open', 'closed'] });
    const body = profile({ read: [open, closed], create: [open] });
    const edit = { allow_all: false, tag_ids: [open], allow_new: true };
    const client = await letsIn(world, alice, {
      ...body,
      tag_permissions: { ...(body['tag_permissions'] as object), edit },
    });
    const nodes = [item('b', { tags: ['open', 'brand-new'] })];
    const removal = await client.post('/nodes/batch', { nodes, on_duplicate: 'overwrite' });
    expect(removal.body.errors).toMatchObject([{ code: 'PERMISSION_DENIED' }]);
    expect((await tagNames()).sort()).toEqual(['closed', 'open', 'x']);
  });

  it('reports values that no node can hold as an error of their item', async () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    const items = [
      '{"title":"good","node_type":"x"}',
      '{"title":"nul\\u0000","node_type":"x"}',
      '{"title":"half","node_type":"\\ud800"}',
      '{"title":"key","node_type":"x","metadata":{"__proto__":{"a":1}}}',
      `{"title":"deep","node_type":"x","metadata":${nested(40)}}`,
      `{"title":"deep enough","node_type":"x","metadata":${nested(32)}}`,
    ];
    const answer = await alice.post('/nodes/batch', `{"nodes":[${items.join(',')}]}`, {
      headers: { 'Idempotency-Key': 'impossible' },
    });
    expect(codeOf(answer)).toEqual([200, undefined]);
    expect(answer.body.created.map(({ index }: { index: number }) => index)).toEqual([0, 5]);
    expect(answer.body.errors).toMatchObject([
      { index: 1, title: null, code: 'VALIDATION_ERROR' },
      { index: 2, title: 'half', code: 'VALIDATION_ERROR' },
      { index: 3, title: 'key', code: 'VALIDATION_ERROR' },
      { index: 4, title: 'deep', code: 'VALIDATION_ERROR' },
    ]);
  });
});
