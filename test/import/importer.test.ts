/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as they came */
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import {
  type ImportedGraph,
  Importer,
  type ImportReport,
  readJsonResume,
  readMarkdownVault,
} from '../../src/import/index.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { Accesses } from '../../src/privacy/index.js';
import { type TestUser, type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

const FIXTURES = join(import.meta.dirname, '../fixtures');

let world: World;
let owner: TestUser;
let root: string;
withWorld((started) => (world = started));
beforeEach(async () => {
  owner = await world.user();
  root = await mkdtemp(join(tmpdir(), 'vault-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

async function importGraph(
  graph: ImportedGraph,
  options: { tags?: string[]; onProgress?: () => void } = {},
): Promise<ImportReport> {
  const access = await world.nest.get(Accesses).ofOwner(owner.id);
  return world.nest.get(Importer).run(access, graph, { collection: 'notes', ...options });
}

const importVault = async (options: { tags?: string[] } = {}) =>
  importGraph(await readMarkdownVault(root), options);

async function nodes(): Promise<any[]> {
  const { body } = await owner.get('/nodes?limit=100&include_tags=true&sort=title&order=asc');
  return body.nodes;
}

async function titled(title: string): Promise<any> {
  return (await nodes()).find((node) => node.title === title);
}

async function edges(): Promise<string[]> {
  const { body } = await owner.get('/relationships?limit=200&include_nodes=true');
  return body.relationships
    .map((edge: any) => `${edge.from_node.title} ${edge.relationship_type} ${edge.to_node.title}`)
    .sort();
}

const changes = async (): Promise<any[]> =>
  world.nest.get(Database).read(sql`SELECT * FROM changes WHERE owner_id = ${owner.id} ORDER BY sequence`);

const quiet = { created: 0, updated: 0, moved: 0, left_deleted: 0, gone: 0, refused: 0 };

describe('creation', () => {
  it('the first import brings a whole vault into the graph, dates and links included', async () => {
    const graph = await readMarkdownVault(join(FIXTURES, 'vault'));
    const report = await importGraph(graph);
    expect(report.nodes).toEqual({ ...quiet, created: graph.nodes.length, unchanged: 0 });
    expect(report.relationships).toEqual({
      created: graph.relationships.length,
      updated: 0,
      deleted: 0,
      unchanged: 0,
    });
    const bees = await titled('Bees');
    expect(bees).toMatchObject({ node_type: 'NOTE', created_at: '2023-05-14T18:30:00.000Z', version: 1 });
    expect(bees.tags.sort()).toEqual(['garden', 'garden/bees', 'hobby']);
    expect(await edges()).toContain('Tomas Okafor references Bees');
    const tags = (await owner.get('/tags?per_page=200')).body.tags;
    const parent = tags.find((tag: any) => tag.name === 'garden');
    expect(tags.find((tag: any) => tag.name === 'garden/bees')).toMatchObject({
      parent_tag_id: parent.id,
      category: 'topic',
    });
  });

  it('the first import tells the change log every node, relationship and tag, numbered without gaps', async () => {
    const graph = await readMarkdownVault(join(FIXTURES, 'vault'));
    await importGraph(graph);
    const rows = await changes();
    expect(rows.map((row) => row.sequence)).toEqual(rows.map((_, index) => index + 1));
    const count = (entity: string) => rows.filter((row) => row.entity === entity).length;
    expect([count('node'), count('relationship'), count('tag')]).toEqual([
      graph.nodes.length + (graph.files?.length ?? 0),
      graph.relationships.length,
      graph.tags.length,
    ]);
    expect(new Set(rows.map((row) => row.reason))).toEqual(new Set(['import of notes']));
    expect(rows.every((row) => row.snapshot !== null)).toBe(true);
  });

  it('the first import brings a résumé into the graph, in the shapes of identity nodes', async () => {
    const graph = await readJsonResume(join(FIXTURES, 'resume.json'), new Date());
    const report = await importGraph(graph);
    expect(report.nodes).toMatchObject({ created: graph.nodes.length, refused: 0 });
    expect(report.relationships.created).toBe(graph.relationships.length);
    const experiences = (await owner.get('/nodes?node_type=EXPERIENCE&meaning_level=IDENTITY&limit=100'))
      .body;
    expect(experiences.total).toBe(graph.nodes.filter((node) => node.node_type === 'EXPERIENCE').length);
  });

  it('the first import gives every node the tags that the operator adds', async () => {
    await write({ 'a.md': '#own', 'b.md': '' });
    await importVault({ tags: ['from my laptop'] });
    expect((await nodes()).map((node) => node.tags)).toEqual([['own', 'from my laptop'], ['from my laptop']]);
  });

  it('the first import does not lose the rest over one node that is against the rules', async () => {
    const graph = await readJsonResume(join(FIXTURES, 'resume.json'), new Date());
    const bad = { ...graph.nodes[0]!, ref: 'bad', node_type: 'WRONG', meaning_level: 'IDENTITY' as const };
    const report = await importGraph({ ...graph, nodes: [bad, ...graph.nodes] });
    expect(report.nodes).toMatchObject({ created: graph.nodes.length, refused: 1 });
    expect(report.warnings).toContainEqual(expect.objectContaining({ code: 'bad_entry', ref: 'bad' }));
  });

  it('the first import keeps to its owner: two people import the same notes', async () => {
    await write({ 'a.md': '[[b]]', 'b.md': '' });
    await importVault();
    const other = await world.user();
    expect((await other.get('/nodes')).body.total).toBe(0);
    owner = other;
    expect((await importVault()).nodes.created).toBe(2);
    expect((await other.get('/nodes')).body.total).toBe(2);
  });

  it('two sources with the same file names are two sources', async () => {
    await write({ 'a.md': 'one' });
    await importVault();
    const access = await world.nest.get(Accesses).ofOwner(owner.id);
    const report = await world.nest
      .get(Importer)
      .run(access, await readMarkdownVault(root), { collection: 'other' });
    expect(report.nodes).toMatchObject({ created: 1, gone: 0 });
  });
});

describe('repetition', () => {
  it('a repeated import changes nothing when nothing changed in the source', async () => {
    const graph = await readMarkdownVault(join(FIXTURES, 'vault'));
    await importGraph(graph);
    const before = await changes();
    const report = await importGraph(await readMarkdownVault(join(FIXTURES, 'vault')));
    expect(report.nodes).toEqual({ ...quiet, unchanged: graph.nodes.length });
    expect(report.relationships).toEqual({
      created: 0,
      updated: 0,
      deleted: 0,
      unchanged: graph.relationships.length,
    });
    expect(report.tags.created).toBe(0);
    expect(await changes()).toHaveLength(before.length);
  });

  it('a changed note is updated with its links and tags by the next import', async () => {
    await write({ 'a.md': '# A\n\n[[b]] #x', 'b.md': '# B', 'c.md': '# C' });
    await importVault();
    await write({ 'a.md': '# A\n\nnow [[c]] #y' });
    const report = await importVault();
    expect(report.nodes).toMatchObject({ updated: 1, unchanged: 2, created: 0 });
    expect(report.relationships).toEqual({ created: 1, updated: 0, deleted: 1, unchanged: 0 });
    expect(await edges()).toEqual(['A references C']);
    expect(await titled('A')).toMatchObject({ version: 2, tags: ['y'], value: '# A\n\nnow [[c]] #y' });
    expect(await titled('B')).toMatchObject({ version: 1 });
  });

  it('the context of a link whose line changed is updated by the next import', async () => {
    await write({ 'a.md': 'see [[b]]', 'b.md': '' });
    await importVault();
    await write({ 'a.md': 'look at [[b]]' });
    expect((await importVault()).relationships).toEqual({ created: 0, updated: 1, deleted: 0, unchanged: 0 });
    expect((await owner.get('/relationships')).body.relationships[0].context).toBe('look at [[b]]');
  });

  it('changes that the person made in the service survive the next import', async () => {
    await write({ 'a.md': '---\nk: 1\n---\n# A\n#x' });
    await importVault();
    const { id } = await titled('A');
    await owner.patch(`/nodes/${id}`, {
      title: 'My title',
      tags: ['x', 'private'],
      metadata: { properties: { mine: true } },
    });
    expect((await importVault()).nodes).toMatchObject({ unchanged: 1 });
    await write({ 'a.md': '---\nk: 2\n---\n# A\nmore #x #y' });
    expect((await importVault()).nodes).toMatchObject({ updated: 1 });
    const node = (await owner.get(`/nodes/${id}`)).body;
    expect(node).toMatchObject({ title: 'My title', value: '# A\nmore #x #y' });
    expect(node.tags.sort()).toEqual(['private', 'x', 'y']);
    expect(node.metadata.properties).toEqual({ k: 2, mine: true });
    expect((await importVault()).nodes).toMatchObject({ unchanged: 1 });
    expect((await owner.get(`/nodes/${id}`)).body.version).toBe(node.version);
  });

  it('nodes, links and tags that the person deleted stay deleted in the next import', async () => {
    await write({ 'a.md': '# A\n[[b]] [[c]] #x #y', 'b.md': '# B', 'c.md': '# C' });
    await importVault();
    const edge = (await owner.get('/relationships?include_nodes=true')).body.relationships.find(
      (each: any) => each.to_node.title === 'C',
    );
    await owner.delete(`/relationships/${edge.id}`);
    await owner.delete(`/nodes/${(await titled('B')).id}`);
    const tags = (await owner.get('/tags')).body.tags;
    await owner.delete(`/tags/${tags.find((tag: any) => tag.name === 'x').id}`);
    const report = await importVault();
    expect(report).toMatchObject({
      nodes: { created: 0, updated: 0, left_deleted: 1 },
      relationships: { created: 0 },
      tags: { created: 0 },
    });
    expect(await edges()).toEqual([]);
    expect((await titled('A')).tags).toEqual(['y']);
  });

  it('a link that the source had dropped comes back, but none that the person deleted or made', async () => {
    await write({ 'a.md': '# A\n[[b]] [[c]]', 'b.md': '# B', 'c.md': '# C', 'd.md': '# D' });
    await importVault();
    const [a, d] = [await titled('A'), await titled('D')];
    await owner.post('/relationships', {
      from_node_id: a.id,
      to_node_id: d.id,
      relationship_type: 'references',
    });
    await write({ 'a.md': '# A\n[[c]]' });
    expect((await importVault()).relationships).toMatchObject({ created: 0, deleted: 1 });
    expect(await edges()).toEqual(['A references C', 'A references D']);
    await write({ 'a.md': '# A\n[[b]] [[c]] again' });
    expect((await importVault()).relationships).toMatchObject({ created: 1, deleted: 0 });
    expect(await edges()).toEqual(['A references B', 'A references C', 'A references D']);
  });

  it('links to a deleted node are kept for the day it is restored', async () => {
    await write({ 'a.md': '# A\n[[b]]', 'b.md': '# B' });
    await importVault();
    const { id } = await titled('B');
    await owner.delete(`/nodes/${id}`);
    await importVault();
    expect((await owner.post(`/nodes/${id}/restore`)).status).toBe(200);
    expect(await edges()).toEqual(['A references B']);
  });

  it('a tag that was renamed in the service keeps its meaning in the next import', async () => {
    await write({ 'a.md': '# A\n#recipe' });
    await importVault();
    const [tag] = (await owner.get('/tags')).body.tags;
    await owner.put(`/tags/${tag.id}`, { name: 'cooking' });
    await write({ 'a.md': '# A\n#recipe, changed', 'b.md': '# B\n#recipe' });
    expect((await importVault()).tags.created).toBe(0);
    expect([(await titled('A')).tags, (await titled('B')).tags]).toEqual([['cooking'], ['cooking']]);
  });

  it('a note that was moved to another folder is found again by the next import', async () => {
    await write({ 'old/a.md': '# A\ntext', 'b.md': '# B' });
    await importVault();
    const { id } = await titled('A');
    await mkdir(join(root, 'new'));
    await rename(join(root, 'old/a.md'), join(root, 'new/a.md'));
    expect((await importVault()).nodes).toMatchObject({ created: 0, updated: 1, moved: 1, gone: 0 });
    expect(await titled('A')).toMatchObject({ id, tags: ['new'] });
  });

  it('nodes that are gone from the source are kept by the next import', async () => {
    await write({ 'a.md': '# A', 'b.md': '# B' });
    await importVault();
    await rm(join(root, 'a.md'));
    expect((await importVault()).nodes).toMatchObject({ gone: 1, unchanged: 1 });
    expect(await titled('A')).toBeDefined();
  });

  it('the next import never takes the last tag of a node', async () => {
    await write({ 'a.md': '# A\n#only' });
    await importVault();
    await write({ 'a.md': '# A\nnone' });
    expect((await importVault()).nodes).toMatchObject({ updated: 1, refused: 0 });
    expect(await titled('A')).toMatchObject({ value: '# A\nnone', tags: ['only'] });
    expect((await importVault()).nodes).toMatchObject({ updated: 0, unchanged: 1 });
  });

  it('an import that broke off is completed by the next one', async () => {
    await write(
      Object.fromEntries(
        Array.from({ length: 150 }, (_, i) => [`n${i}.md`, `# N${i}\n[[n${(i + 1) % 150}]] #t${i % 7}x`]),
      ),
    );
    let calls = 0;
    const breakOff = () => {
      if (++calls === 3) throw new Error('pulled the plug');
    };
    await expect(importGraph(await readMarkdownVault(root), { onProgress: breakOff })).rejects.toThrow(
      'pulled the plug',
    );
    const report = await importVault();
    expect(report.nodes.created + report.nodes.unchanged).toBe(150);
    expect(report.nodes.unchanged).toBeGreaterThan(0);
    expect(report.relationships.created).toBe(150);
    expect((await importVault()).relationships).toEqual({
      created: 0,
      updated: 0,
      deleted: 0,
      unchanged: 150,
    });
  });
});

it('shows an app nothing of folders, tags and notes that it may not see', async () => {
  await write({ 'secretfolder/a.md': '# A\nopen text #book, see [[b]]', 'secretfolder/b.md': '# B' });
  await importVault();
  const tags = (await owner.get('/tags')).body.tags;
  const book = { tag_ids: [tags.find((tag: any) => tag.name === 'book').id], allow_all: false };
  const none = { tag_ids: [], allow_all: false };
  const all = { schema_ids: [], allow_all: true };
  const app = await owner.lets(
    await world.app({ requested: { tags: { discover: true, read: true }, schemas: { read: all } } }),
    {
      tag_permissions: { discover: book, read: book, propose: none, edit: none, create: none },
      schema_permissions: { read: all, write: { schema_ids: [], allow_all: false } },
    },
  );
  const seen = await app.get('/nodes?include_tags=true');
  expect(seen.body.nodes).toMatchObject([{ title: 'A', tags: ['book'] }]);
  expect(seen.text).not.toContain('secretfolder');
  const { ref, version } = seen.body.nodes[0].metadata.source;
  expect(seen.body.nodes[0].metadata.source).toEqual({
    importer: 'markdown-vault',
    vault: basename(root),
    file: 'a.md',
    ref,
    version,
  });
});
