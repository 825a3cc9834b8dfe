import { jest } from '@jest/globals';
import { type ImportedGraph, Importer, Imports, ImportUndo } from '../../src/import/index.js';
import { ImportsQueries } from '../../src/import/imports.queries.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { type Access, Accesses } from '../../src/privacy/index.js';
import { type TestUser, type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

const NOTES = 250;

/** Notes that each link to the next one. */
const graph: ImportedGraph = {
  importer: 'markdown-vault',
  nodes: Array.from({ length: NOTES }, (_, n) => ({
    ref: `${n}.md`,
    title: `note ${n}`,
    value: `text ${n}`,
    node_type: 'NOTE',
    meaning_level: 'DATA' as const,
    tags: ['vault'],
    metadata: { properties: {}, source: {} },
  })),
  tags: [{ name: 'vault', parent: null, category: null }],
  relationships: Array.from({ length: NOTES }, (_, n) => ({
    from: `${n}.md`,
    to: `${(n + 1) % NOTES}.md`,
    type: 'references',
    context: null,
  })),
  warnings: [],
};

describe('undo-import', () => {
  let world: World;
  let owner: TestUser;
  let access: Access;
  withWorld((started) => (world = started));
  afterEach(() => jest.restoreAllMocks());
  beforeEach(async () => {
    owner = await world.user();
    access = await world.nest.get(Accesses).ofOwner(owner.id);
  });

  const record = async () => {
    const naming = { chosenName: 'notes', usual: 'notes', place: null };
    return (await world.nest.get(Imports).choose(access, graph, naming)).record;
  };
  const imported = async (onProgress: () => void = () => undefined) => {
    const { collection, name } = await record();
    access = await world.nest.get(Accesses).ofOwner(owner.id);
    return world.nest.get(Importer).run(access, graph, { collection, name, onProgress });
  };
  const undo = async () => {
    const found = await world.nest.get(Imports).find(access, 'notes');
    const undone = found ?? (await world.nest.get(Imports).lastUndone(access, 'notes'));
    return world.nest.get(ImportUndo).run(access, undone as NonNullable<typeof undone>);
  };
  const living = async (): Promise<number> => (await owner.get('/nodes?limit=1')).body.total;
  const deletions = async (): Promise<number> => {
    const [row] = await world.nest.get(Database).read<{ count: number }>(
      sql`SELECT count(*)::int AS count FROM changes
        WHERE owner_id = ${owner.id} AND entity = 'node' AND action = 'deleted'`,
    );
    return row?.count as number;
  };

  it('an undo of an import ends a run of the same import beside it, and leaves none of its nodes (rule 12.5a)', async () => {
    let undoing: Promise<{ removed: number }> | null = null;
    let steps = 0;
    const running = imported(() => {
      // The first step is the start of the nodes.
      if (++steps === 2) undoing = undo();
    });
    await expect(running).rejects.toThrow('undone while it ran');
    const { removed } = await (undoing as unknown as Promise<{ removed: number }>);
    expect(removed).toBeGreaterThan(0);
    expect([await living(), await deletions()]).toEqual([0, removed]);
    expect(await world.nest.get(Imports).list(access)).toEqual([]);
    expect((await imported()).nodes.created).toBe(NOTES);
    expect(await living()).toBe(NOTES);
  });

  it('an undo beside another undo deletes each node once (rule 12.5a)', async () => {
    await imported();
    const reports = await Promise.all([undo(), undo()]);
    expect(reports.reduce((sum, { removed }) => sum + removed, 0)).toBe(NOTES);
    expect(reports.flatMap(({ stayed }) => stayed)).toEqual([]);
    expect([await living(), await deletions()]).toEqual([0, NOTES]);
  });

  /** The changes that keep a node, each of which leaves its version as it is except for the first. */
  const acts: [string, (id: string, other: string) => Promise<{ status: number }>][] = [
    ['changes', (id) => owner.put(`/nodes/${id}`, { title: 'mine' })],
    ['relates', (id, other) => owner.post('/relationships', edge(id, other))],
    ['gives a vector', (id) => owner.put(`/nodes/${id}/embedding`, { embedding: [1, 0], model: 'm' })],
  ];
  const edge = (from: string, to: string) => ({
    from_node_id: from,
    to_node_id: to,
    relationship_type: 'mine',
  });

  it.each(acts)(
    'an undo of an import keeps a node that a person %s after the import (rule 12.5a)',
    async (_, act) => {
      await imported();
      const { body: own } = await owner.post('/nodes', { title: 'own', node_type: 'NOTE', tags: ['vault'] });
      const [{ id }] = (await owner.get('/nodes?limit=1&sort=created_at&order=asc')).body.nodes;
      expect([200, 201]).toContain((await act(id, own.id)).status);
      const { removed, stayed } = await undo();
      expect([removed, stayed.length]).toEqual([NOTES - 1, 1]);
      expect((await owner.get(`/nodes/${id}`)).status).toBe(200);
    },
  );

  it.each(acts)(
    'an undo of an import keeps a node that a person %s while it runs (rule 12.5a)',
    async (_, act) => {
      await imported();
      const { body: own } = await owner.post('/nodes', { title: 'own', node_type: 'NOTE', tags: ['vault'] });
      const { made } = ImportsQueries.prototype;
      let kept = '';
      jest.spyOn(ImportsQueries.prototype, 'made').mockImplementation(async function (
        this: ImportsQueries,
        ...given
      ) {
        const nodes = await made.apply(this, given);
        kept = nodes.at(-1)?.id as string;
        expect([200, 201]).toContain((await act(kept, own.id)).status);
        return nodes;
      });
      const { removed, stayed } = await undo();
      expect([removed, stayed.length]).toEqual([NOTES - 1, 1]);
      expect((await owner.get(`/nodes/${kept}`)).status).toBe(200);
    },
  );

  it('an undo of an import keeps nodes whose later change calls itself the import (rule 12.5b)', async () => {
    await imported();
    const [first, second] = (await owner.get('/nodes?limit=2')).body.nodes as { id: string }[];
    const reason = 'import of notes';
    const headers = { 'X-Change-Reason': reason };
    const changed = [
      await owner.put(`/nodes/${first?.id}`, { title: 'mine' }, { headers }),
      await owner.put(`/nodes/${second?.id}`, { title: 'mine', change_reason: reason }),
    ];
    expect(changed.map(({ status }) => status)).toEqual([200, 200]);
    const { removed, stayed } = await undo();
    expect([removed, stayed]).toEqual([NOTES - 2, ['mine', 'mine']]);
    const { body } = await owner.get(`/nodes/${first?.id}/history`);
    expect(body.history[0].change_reason).toBe(`"${reason}"`);
  });

  it('an undo of an import names a note that somebody has taken the mark off (rule 12.5c)', async () => {
    await imported();
    const [first] = (await owner.get('/nodes?limit=1')).body.nodes as { id: string; title: string }[];
    expect((await owner.patch(`/nodes/${first?.id}`, { metadata: { source: null } })).status).toBe(200);
    const { removed, stayed } = await undo();
    expect([removed, stayed]).toEqual([NOTES - 1, [first?.title]]);
  });

  it('an undo of an import and a repeated import keep an edge that calls itself the import (rule 12.5b)', async () => {
    await imported();
    const { nodes } = (await owner.get('/nodes?limit=3')).body as { nodes: { id: string }[] };
    const [from, to] = [nodes[0]?.id as string, nodes[2]?.id as string];
    const headers = { 'X-Change-Reason': 'import of notes' };
    const { body, status } = await owner.post('/relationships', edge(from, to), { headers });
    expect(status).toBe(201);
    expect((await imported()).relationships.deleted).toBe(0);
    expect((await owner.get(`/relationships/${body.id}`)).status).toBe(200);
    const { removed, stayed } = await undo();
    expect([removed, stayed.length]).toEqual([NOTES - 2, 2]);
    expect((await owner.get(`/relationships/${body.id}`)).status).toBe(200);
  });

  it('an undo of an import that broke off is completed by the next one (rule 12.5a)', async () => {
    await imported();
    const made = jest.spyOn(ImportsQueries.prototype, 'made');
    made.mockRejectedValueOnce(new Error('planted'));
    await expect(undo()).rejects.toThrow('planted');
    expect(await living()).toBe(NOTES);
    expect((await undo()).removed).toBe(NOTES);
    expect(await living()).toBe(0);
  });
});
