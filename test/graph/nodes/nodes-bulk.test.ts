import { HeldRows, MOST_HELD_ROWS } from '../../../src/kernel/held-rows.js';
import { requestContext, SYSTEM_ACTOR } from '../../../src/kernel/request-context.js';
import { type TestUser, World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { codeOf, letsIn, node, profile, tagId } from '../../support/worlds/nodes.js';

const ABSENT = '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f';
const item = (title: string, rest: Record<string, unknown> = {}) => ({ title, node_type: 'note', ...rest });

describe('batches and bulk deletions of nodes', () => {
  let world: World;
  let alice: TestUser;

  withAlice(
    (met) => ({ world, alice } = met),
    () => World.startHere(),
  );

  const batch = (nodes: unknown, on_duplicate?: string) =>
    alice.post('/nodes/batch', { nodes, on_duplicate });
  const total = async () => (await alice.get('/nodes')).body.total as number;

  describe('POST /nodes/batch', () => {
    it('a batch of nodes answers 201 when all nodes were created', async () => {
      const answer = await batch([item('a', { tags: ['x'] }), item('b', { tags: ['x', 'y'] }), item('c')]);
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({
        created: ['a', 'b', 'c'].map((title, index) => ({ index, id: expect.any(String), title })),
        skipped: [],
        updated: [],
        errors: [],
        summary: { total: 3, created: 3, skipped: 0, updated: 0, errors: 0 },
      });
      const { body } = await alice.get('/nodes?include_tags=true&sort=title&order=asc');
      expect(body.nodes.map(({ tags }: { tags: string[] }) => tags)).toEqual([['x'], ['x', 'y'], []]);
    });

    it('a batch of nodes answers 200 when some items failed, and isolates the errors', async () => {
      const answer = await batch([
        item('good', { tags: ['made'] }),
        item('', {}),
        item('typed', { meaning_level: 'IDENTITY', tags: ['not made'] }),
        item('schema', { schema_id: ABSENT }),
        'no node',
        null,
        item('deep', { metadata: { properties: [] } }),
        item('last'),
      ]);
      expect(answer.status).toBe(200);
      expect(answer.body.created.map(({ index }: { index: number }) => index)).toEqual([0, 7]);
      const errors = answer.body.errors as {
        index: number;
        title: string | null;
        code: string;
        error: string;
      }[];
      expect(errors.map(({ index, title, code }) => [index, title, code])).toEqual([
        [1, '', 'VALIDATION_ERROR'],
        [2, 'typed', 'INVALID_NODE_TYPE'],
        [3, 'schema', 'SCHEMA_NOT_FOUND'],
        [4, null, 'VALIDATION_ERROR'],
        [5, null, 'VALIDATION_ERROR'],
        [6, 'deep', 'VALIDATION_ERROR'],
      ]);
      expect(errors.every(({ error }) => typeof error === 'string' && error !== '')).toBe(true);
      expect(answer.body.summary).toEqual({ total: 8, created: 2, skipped: 0, updated: 0, errors: 6 });
      expect((await alice.get('/tags')).body.tags.map(({ name }: { name: string }) => name)).toEqual([
        'made',
      ]);
    });

    it('a batch of nodes answers 200 when all items failed', async () => {
      expect((await batch([{}, {}])).status).toBe(200);
      expect(await total()).toBe(0);
    });

    it.each([[[]], [Array.from({ length: 101 }, () => item('x'))], ['text'], [undefined], [{}]])(
      'an invalid form or a size outside 1-100 is refused (%#)',
      async (nodes) => {
        expect(codeOf(await batch(nodes))).toEqual([400, 'VALIDATION_ERROR']);
        expect(await total()).toBe(0);
      },
    );

    it('an unknown way to treat duplicates is refused', async () => {
      expect(codeOf(await batch([item('a')], 'merge'))).toEqual([400, 'VALIDATION_ERROR']);
    });

    it('a batch of nodes skips duplicates: same view, title and value, exactly, including null, also among earlier items', async () => {
      const existing = await node(alice, { title: 'same' });
      await node(alice, { title: 'gone' }).then(({ id }) => alice.delete(`/nodes/${id}`));
      const answer = await batch([
        item('same'),
        item('same', { value: null, node_type: 'other' }),
        item('same', { value: '' }),
        item('Same'),
        item('same', { graph_view: 'neutral' }),
        item('same', { value: '' }),
        item('gone'),
      ]);
      expect(answer.status).toBe(200);
      expect(answer.body.created.map(({ index }: { index: number }) => index)).toEqual([2, 3, 4, 6]);
      expect(answer.body.skipped).toEqual([
        { index: 0, id: existing.id, title: 'same' },
        { index: 1, id: existing.id, title: 'same' },
        { index: 5, id: answer.body.created[0].id, title: 'same' },
      ]);
      expect(await total()).toBe(5);
    });

    it('a batch of nodes overwrites duplicates with the sent fields', async () => {
      const existing = await node(alice, {
        title: 'same',
        metadata: { old: true },
        importance_score: 0.5,
        tags: ['a'],
      });
      const answer = await batch(
        [
          item('same', { metadata: { new: true }, tags: ['b'] }),
          item('same', { node_type: 'changed', tags: [] }),
          item('fresh', { metadata: { v: 1 } }),
          item('fresh', { metadata: { v: 2 } }),
          item('fresh', { metadata: { v: 2 } }),
        ],
        'overwrite',
      );
      expect(answer.status).toBe(200);
      expect(answer.body.updated.map(({ index, id }: { index: number; id: string }) => [index, id])).toEqual([
        [0, existing.id],
        [3, answer.body.created[0].id],
        [4, answer.body.created[0].id],
      ]);
      expect(answer.body.errors).toMatchObject([{ index: 1, code: 'LAST_TAG_REMOVAL' }]);
      expect((await alice.get(`/nodes/${existing.id}`)).body).toMatchObject({
        metadata: { new: true },
        importance_score: 0.5,
        tags: ['b'],
        node_type: 'note',
        version: 2,
      });
      expect((await alice.get(`/nodes/${answer.body.created[0].id}`)).body).toMatchObject({
        metadata: { v: 2 },
        version: 2,
      });
    });

    it('a batch of nodes finds as duplicates only nodes that the app can read, by their shown values', async () => {
      const [open, secret] = [await tagId(alice, 'open'), await tagId(alice, 'secret')];
      await node(alice, { title: 'plan', tags: ['secret'] });
      const shown = await node(alice, { title: 'plan b', tags: ['open'] });
      const narrow = await letsIn(world, alice, profile({ read: [open], create: [open], edit: [open] }));
      const answer = await narrow.post('/nodes/batch', {
        nodes: [item('plan', { tags: ['open'] }), item('plan b', { tags: ['open'] })],
      });
      expect(answer.body).toMatchObject({ created: [{ index: 0 }], skipped: [{ index: 1, id: shown.id }] });
      const masked = await letsIn(
        world,
        alice,
        profile(
          { read: [open, secret], create: [open] },
          { transformations: [{ type: 'field_mask', config: { paths: ['value'], strategy: 'null' } }] },
        ),
      );
      await node(alice, { title: 'diary', value: 'guess me', tags: ['open'] });
      const guess = await masked.post('/nodes/batch', {
        nodes: [item('diary', { value: 'guess me', tags: ['open'] })],
      });
      expect(guess.body.summary).toMatchObject({ created: 1, skipped: 0 });
    });

    it.each(['skip', 'overwrite'])(
      'a batch of nodes does not confuse a title that is shown as null with the title "null": %s',
      async (on_duplicate) => {
        const open = await tagId(alice, 'open');
        const [valued, bare] = [
          await node(alice, { title: 'secret', value: 'known', tags: ['open'] }),
          await node(alice, { title: 'secret too', tags: ['open'] }),
        ];
        const titleless = await letsIn(
          world,
          alice,
          profile(
            { read: [open], create: [open], edit: [open] },
            { transformations: [{ type: 'field_mask', config: { paths: ['title'], strategy: 'null' } }] },
          ),
        );
        const nodes = [item('null', { tags: ['open'] }), item('null', { value: 'known', tags: ['open'] })];
        const { status, body } = await titleless.post('/nodes/batch', { on_duplicate, nodes });
        expect([status, body.summary]).toEqual([
          201,
          expect.objectContaining({ created: 2, skipped: 0, updated: 0 }),
        ]);
        for (const one of [valued, bare]) expect((await alice.get(`/nodes/${one.id}`)).body).toEqual(one);
      },
    );

    it('a batch of nodes reports missing permissions item by item', async () => {
      const [open, closed] = [await tagId(alice, 'open'), await tagId(alice, 'closed')];
      const existing = await node(alice, { title: 'mine', tags: ['closed'] });
      const app = await letsIn(world, alice, profile({ read: [open, closed], create: [open], edit: [open] }));
      const { status, body } = await app.post('/nodes/batch', {
        on_duplicate: 'overwrite',
        nodes: [
          item('fine', { tags: ['open'] }),
          item('untagged'),
          item('other', { tags: ['open', 'closed'] }),
          item('new tag', { tags: ['open', 'unheard of'] }),
          item('mine', { tags: ['open'] }),
        ],
      });
      expect(status).toBe(200);
      expect(body.created).toHaveLength(1);
      expect(body.errors.map(({ index, code }: { index: number; code: string }) => [index, code])).toEqual([
        [1, 'PERMISSION_DENIED'],
        [2, 'PERMISSION_DENIED'],
        [3, 'PERMISSION_DENIED'],
        [4, 'PERMISSION_DENIED'],
      ]);
      expect((await alice.get(`/nodes/${existing.id}`)).body).toEqual(existing);
    });
  });

  describe('a bulk deletion of nodes', () => {
    it('a bulk deletion of more than ten nodes waits while others hold as many as the process may (rule 11.9i)', async () => {
      const { body } = await batch(Array.from({ length: 21 }, (_, i) => item(`n${i}`)));
      const ids = body.created.map(({ id }: { id: string }) => id) as string[];
      const remove = (node_ids: string[]) => alice.post('/nodes/bulk-delete', { node_ids });
      const ends: (() => void)[] = [];
      const holding = ['one', 'another'].map((caller) =>
        requestContext.run({ requestId: '', actor: SYSTEM_ACTOR, changeReason: null, caller }, () =>
          world.nest
            .get(HeldRows)
            .run(MOST_HELD_ROWS, () => new Promise<void>((resolve) => ends.push(resolve))),
        ),
      );
      let isDone = false;
      const many = remove(ids.slice(0, 11)).finally(() => (isDone = true));
      expect((await remove(ids.slice(11))).body.deleted).toBe(10);
      expect([isDone, await total()]).toEqual([false, 11]);
      for (const end of ends) end();
      expect((await many).body.deleted).toBe(11);
      await Promise.all(holding);
    });

    it('deletes all possible nodes and reports the others', async () => {
      const [a, b, c] = [await node(alice), await node(alice), await node(alice)];
      const foreign = await node(await world.user());
      await alice.delete(`/nodes/${c.id}`);
      const node_ids = [a.id, 'no id', b.id.toUpperCase(), foreign.id, ABSENT, c.id, a.id];
      const { status, body } = await alice.post('/nodes/bulk-delete', { node_ids });
      expect(status).toBe(200);
      expect(body.deleted).toBe(2);
      expect(body.errors.map(({ node_id }: { node_id: string }) => node_id)).toEqual([
        'no id',
        foreign.id,
        ABSENT,
        c.id,
      ]);
      expect(
        new Set(body.errors.map(({ error, code }: { error: string; code: string }) => `${code} ${error}`))
          .size,
      ).toBe(1);
      expect(await total()).toBe(0);
      expect((await alice.post(`/nodes/${a.id}/restore`)).body.version).toBe(3);
    });

    it('needs the right to delete', async () => {
      const open = await tagId(alice, 'open');
      const [may, mayNot, hidden] = [
        await node(alice, { tags: ['open'] }),
        await node(alice, { tags: ['shown'] }),
        await node(alice, { tags: ['hidden'] }),
      ];
      const app = await letsIn(
        world,
        alice,
        profile({ read: [open, await tagId(alice, 'shown')], edit: [open] }),
      );
      const { body } = await app.post('/nodes/bulk-delete', { node_ids: [may.id, mayNot.id, hidden.id] });
      expect(body).toMatchObject({
        deleted: 1,
        errors: [
          { node_id: mayNot.id, code: 'PERMISSION_DENIED' },
          { node_id: hidden.id, code: 'NODE_NOT_FOUND' },
        ],
      });
    });

    it.each([[[]], [Array.from({ length: 101 }, () => ABSENT)], ['x'], [[7]], [undefined]])(
      'an invalid list is refused (%#)',
      async (node_ids) => {
        expect(codeOf(await alice.post('/nodes/bulk-delete', { node_ids }))).toEqual([
          400,
          'VALIDATION_ERROR',
        ]);
      },
    );
  });
});
