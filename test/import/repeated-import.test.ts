/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as they came */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { markOf } from '../../src/import/import-state.js';
import { Importer, type ImportReport, readMarkdownVault } from '../../src/import/index.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { Accesses } from '../../src/privacy/index.js';
import { type TestUser, type World } from '../support/world.js';
import { fileNode } from '../support/worlds/files.js';
import { withWorld } from '../support/worlds/with-world.js';

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

async function importVault(...tags: string[]): Promise<ImportReport> {
  const access = await world.nest.get(Accesses).ofOwner(owner.id);
  return world.nest.get(Importer).run(access, await readMarkdownVault(root), { collection: 'notes', tags });
}

async function titled(title: string): Promise<any> {
  const { body } = await owner.get('/nodes?limit=100&include_tags=true');
  return body.nodes.find((node: any) => node.title === title);
}

const tagsOf = async (title: string): Promise<string[]> => (await titled(title)).tags.sort();

describe('merging', () => {
  it('a repeated import without the option keeps the notes hidden that the option hid', async () => {
    const all = { allow_all: true };
    const none = { allow_all: false };
    const app = await owner.lets(
      await world.app({ requested: { tags: { discover: true, read: true }, schemas: { read: all } } }),
      {
        tag_permissions: { discover: all, read: all, propose: none, edit: none, create: none },
        schema_permissions: { read: all, write: none },
        tag_filters: { exclude_any: ['private'] },
      },
    );
    await write({ 'sub/diary.md': '# Diary\n\n#feelings\n', 'plain.md': '# Plain\n' });
    await importVault('private');
    expect((await app.get('/nodes')).body.total).toBe(0);
    await importVault();
    await write({ 'sub/diary.md': '# Diary\n\nmore #feelings #new\n', 'plain.md': '# Plain\n\nmore\n' });
    expect((await importVault()).nodes).toMatchObject({ updated: 2 });
    expect((await app.get('/nodes')).body.total).toBe(0);
    expect(await tagsOf('Diary')).toEqual(['feelings', 'new', 'private', 'sub']);
    expect(await tagsOf('Plain')).toEqual(['private']);
    const { id } = await titled('Diary');
    expect((await app.get(`/nodes/${id}`)).status).toBe(404);
    expect((await app.get(`/nodes/${id}/history`)).status).toBe(404);
  });

  it('a repeated import keeps a note hidden by a deleted tag that it carries (rule 3.11b)', async () => {
    const all = { allow_all: true };
    const app = await owner.lets(
      await world.app({ requested: { tags: { discover: true, read: true }, schemas: { read: all } } }),
      {
        tag_permissions: { discover: all, read: all },
        schema_permissions: { read: all },
        tag_filters: { exclude_any: ['gone'] },
      },
    );
    await write({ 'a.md': '# A\n#x #gone' });
    await importVault();
    const { id } = await titled('A');
    const [gone] = (await owner.get('/tags?search=gone')).body.tags;
    expect((await owner.delete(`/tags/${gone.id}`)).status).toBe(200);
    await write({ 'a.md': '# A\nmore #x #new' });
    expect((await importVault()).nodes).toMatchObject({ updated: 1 });
    expect(await tagsOf('A')).toEqual(['new', 'x']);
    expect((await app.get(`/nodes/${id}`)).status).toBe(404);
    expect((await owner.delete(`/nodes/${id}/tags/${gone.id}`)).status).toBe(200);
    expect((await app.get(`/nodes/${id}`)).status).toBe(200);
  });

  it('a repeated import keeps what an option and a person added, and takes off what the source gives no more', async () => {
    await write({ 'a.md': '---\nk: 1\n---\n# A\n#x #y' });
    await importVault('private');
    const { id } = await titled('A');
    await owner.patch(`/nodes/${id}`, {
      tags: ['x', 'y', 'private', 'mine'],
      metadata: { properties: { mine: true } },
    });
    await write({ 'a.md': '# A\n#y' });
    await importVault('second');
    expect(await tagsOf('A')).toEqual(['mine', 'private', 'second', 'y']);
    expect((await titled('A')).metadata.properties).toEqual({ mine: true });
  });

  it('a repeated import never writes a version of a note without the tag that a person gave it', async () => {
    await write({ 'a.md': '# A\n#x' });
    await importVault();
    const { id } = await titled('A');
    await owner.patch(`/nodes/${id}`, { tags: ['x', 'private'], title: 'Mine' });
    const { version } = (await owner.get(`/nodes/${id}`)).body;
    await write({ 'a.md': '# A\nmore #x' });
    await importVault();
    const rows = await world.nest
      .get(Database)
      .read<{ tag_ids: string[]; snapshot: any }>(
        sql`SELECT tag_ids, snapshot FROM changes WHERE owner_id = ${owner.id} AND entity_id = ${id} AND version > ${version}`,
      );
    expect(rows.map(({ tag_ids, snapshot }) => [tag_ids.length, snapshot.title])).toEqual([[2, 'Mine']]);
  });

  it('a repeated import does not give a tag again that a person took off, by the source or the option', async () => {
    await write({ 'a.md': '# A\n#x #y' });
    await importVault('public');
    await owner.patch(`/nodes/${(await titled('A')).id}`, { tags: ['y'] });
    await write({ 'a.md': '# A\nmore #x #y' });
    await importVault('public');
    expect(await tagsOf('A')).toEqual(['y']);
  });

  it('a repeated import takes no tag off a node that a former version imported, without a state of its own', async () => {
    await write({ 'a.md': '# A\n#x' });
    await importVault('private');
    await world.nest.get(Database).read(sql`DELETE FROM imported_nodes WHERE owner_id = ${owner.id}`);
    await write({ 'a.md': '# A\nmore #z' });
    await importVault();
    expect(await tagsOf('A')).toEqual(['private', 'x', 'z']);
    await write({ 'a.md': '# A\nmore' });
    await importVault();
    expect(await tagsOf('A')).toEqual(['private', 'x']);
  });

  it('a repeated import gives the tag of its option to files that are there already', async () => {
    await write({ 'a.md': '# A\n![[b.txt]]', 'b.txt': 'text' });
    await importVault();
    await importVault('private');
    expect(await tagsOf('b.txt')).toEqual(['private']);
    const { id, version } = await titled('b.txt');
    await importVault('private');
    await importVault();
    expect((await owner.get(`/nodes/${id}`)).body).toMatchObject({ version, tags: ['private'] });
  });
});

describe('marks that an import has not written', () => {
  const all = { allow_all: true };
  const marked = (path: string, importer = 'markdown-vault') => ({
    source: { importer, ref: markOf('notes', path), version: 1 },
  });

  /** An app that reads and writes under one tag alone. */
  async function appOf(tag: string) {
    const { id } = (await owner.post('/tags', { name: tag })).body;
    const own = { tag_ids: [id] };
    return owner.lets(
      await world.app({
        requested: {
          tags: { discover: true, read: true, create: true, edit: true },
          schemas: { read: all, write: all },
        },
      }),
      {
        tag_permissions: { discover: own, read: own, create: own, edit: own },
        schema_permissions: { read: all, write: all },
      },
    );
  }

  it('an import writes a note into a node of its own, not into one with a copied mark', async () => {
    const app = await appOf('inbox');
    const mine = (path: string) => ({ title: 'mine', tags: ['inbox'], metadata: marked(path) });
    const { id } = (await app.post('/nodes', { node_type: 'note', ...mine('diary.md') })).body;
    await write({ 'diary.md': '# Diary\nsecret' });
    expect((await importVault()).nodes).toMatchObject({ created: 1, updated: 0 });
    await write({ 'diary.md': '# Diary\nsecret, more' });
    expect((await importVault()).nodes).toMatchObject({ updated: 1 });
    expect((await app.get(`/nodes/${id}`)).body).toMatchObject({ title: 'mine', version: 1 });
    expect((await app.get('/nodes')).body.total).toBe(1);
  });

  it('an import writes a note into its own node, not into one whose mark was changed to that of the note', async () => {
    const app = await appOf('inbox');
    await write({ 'a.md': '# A\n#inbox', 'diary.md': '# Diary\nsecret #inbox #private' });
    await importVault();
    const { id } = await titled('A');
    await owner.patch(`/nodes/${id}`, { metadata: marked('diary.md') });
    await write({ 'a.md': '# A\n#inbox', 'diary.md': '# Diary\nsecret, more #inbox #private' });
    expect((await importVault()).nodes).toMatchObject({ created: 0, updated: 2 });
    expect((await app.get(`/nodes/${id}`)).body).toMatchObject({ title: 'A' });
  });

  it.each(['taken off', 'changed'])(
    'an import keeps a note behind the mask that its person gave it, though an app has %s the mark (rule 12.5c)',
    async (how) => {
      await write({ 'a.md': '# A\na secret #inbox' });
      await importVault();
      const { id } = await titled('A');
      const [inbox] = (await owner.get('/tags?search=inbox')).body.tags;
      const { id: health } = (await owner.post('/tags', { name: 'health' })).body;
      const own = { tag_ids: [inbox.id] };
      const app = await owner.lets(
        await world.app({
          requested: { tags: { discover: true, read: true, edit: true }, schemas: { read: all, write: all } },
        }),
        {
          tag_permissions: { discover: own, read: own, edit: own },
          schema_permissions: { read: all, write: all },
          transformations: [
            { type: 'field_mask', config: { paths: ['value'] }, apply_to: { tag_ids: [health] } },
          ],
        },
      );
      await owner.post(`/nodes/${id}/tags`, { tag_id: health });
      const metadata = how === 'changed' ? marked('b.md') : { source: null };
      expect((await app.patch(`/nodes/${id}`, { metadata })).status).toBe(200);
      expect((await importVault()).nodes).toMatchObject({ created: 0 });
      const { body } = await app.get('/nodes');
      expect(body).toMatchObject({ total: 1, nodes: [{ id }] });
      expect(JSON.stringify(body)).not.toContain('a secret');
      await write({ 'a.md': '# A\na second secret #inbox' });
      expect((await importVault()).nodes).toMatchObject({ created: 0, updated: 1 });
      expect((await owner.get(`/nodes/${id}`)).body.value).toContain('a second secret');
    },
  );

  it('an import tags notes with a tag of the name they have, not with one that an app gave that name for a while', async () => {
    const requested = {
      tags: { discover: true, read: true, edit: true },
      schemas: { read: all, write: all },
    };
    const app = await owner.lets(await world.app({ requested }), {
      tag_permissions: { discover: all, read: all, edit: all },
      schema_permissions: { read: all, write: all },
    });
    const { id } = (await owner.post('/tags', { name: 'recipes' })).body;
    for (const name of ['health', 'recipes'])
      expect((await app.put(`/tags/${id}`, { name })).status).toBe(200);
    await write({ 'a.md': '# A\n#health', 'b.md': '# B\n#recipes' });
    await importVault();
    expect([await tagsOf('A'), await tagsOf('B')]).toEqual([['health'], ['recipes']]);
  });

  it('an import writes a file into a node of its own, not into one with a copied mark', async () => {
    const app = await appOf('inbox');
    const fields = { metadata: JSON.stringify(marked('b.txt', 'markdown-vault-files')) };
    const { id } = await fileNode(app, ['inbox'], { content: 'mine', fields });
    await write({ 'a.md': '# A\n![[b.txt]]', 'b.txt': 'a secret' });
    expect((await importVault()).files).toMatchObject({ created: 1 });
    expect((await app.get(`/raw-files/${id}/download`)).text).toBe('mine');
  });
});
