import { mkdtempSync, rmSync, unlinkSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describeImport } from '../../src/cli/import-source.js';
import { Importer, type ImportReport, readMarkdownVault } from '../../src/import/index.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { Accesses } from '../../src/privacy/index.js';
import { storedIn } from '../support/worlds/files.js';
import { type TestUser, type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

describe('files beside notes', () => {
  let world: World;
  let alice: TestUser;
  let vault: string;

  withWorld((started) => (world = started));

  beforeEach(async () => {
    alice = await world.user();
    vault = mkdtempSync(join(tmpdir(), 'pig-vault-'));
    put('trips/sea.md', '# Sea\n\n![[boat.png]] and ![](../papers/map%20of%20it.pdf) and [[boat.png]]\n');
    put('trips/boat.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
    put('papers/map of it.pdf', '%PDF-1.7 a map');
    put('papers/unused.pdf', '%PDF-1.7 not referred to');
  });
  afterEach(() => rmSync(vault, { recursive: true, force: true }));

  const put = (path: string, content: string | Buffer): void => {
    mkdirSync(dirname(join(vault, path)), { recursive: true });
    writeFileSync(join(vault, path), content);
  };
  const run = async (): Promise<ImportReport> => {
    const access = await world.nest.get(Accesses).ofOwner(alice.id);
    return world.nest
      .get(Importer)
      .run(access, await readMarkdownVault(vault), { collection: 'v', tags: ['vault'] });
  };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const files = async (): Promise<any[]> => (await alice.get('/raw-files')).body.files;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const named = async (name: string): Promise<any> =>
    (await files()).find(({ filename }) => filename === name);

  it('attachments of a vault that notes refer to become files with relationships from the note', async () => {
    const report = await run();
    expect(report.files).toEqual({ created: 2, updated: 0, unchanged: 0, left_deleted: 0, refused: 0 });
    expect((await files()).map(({ filename }) => filename).sort()).toEqual(['boat.png', 'map of it.pdf']);
    const boat = await named('boat.png');
    expect(boat).toMatchObject({
      content_type: 'image/png',
      data_type: 'image',
      metadata: { upload_source: 'import' },
    });
    expect((await alice.get(`/nodes/${boat.id}`)).body.tags.sort()).toEqual(['trips', 'vault']);
    expect((await alice.get(`/raw-files/${(await named('map of it.pdf')).id}/download`)).text).toBe(
      '%PDF-1.7 a map',
    );
    const { body } = await alice.get(`/nodes/${boat.id}/relationships`);
    expect(body).toMatchObject({ total_incoming: 1, incoming: [{ relationship_type: 'references' }] });
    expect(JSON.stringify(boat.metadata)).not.toContain('trips');
  });

  it('a second time make no duplicate and change nothing', async () => {
    await run();
    const [before, stored] = [await files(), storedIn(world)];
    const report = await run();
    expect(report.files).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
    expect(report.relationships).toMatchObject({ created: 0, deleted: 0 });
    expect([await files(), storedIn(world)]).toEqual([before, stored]);
  });

  it('attachments of a vault with new content are the next version; what a person named and tagged stays', async () => {
    await run();
    const { id } = await named('map of it.pdf');
    await alice.put(`/raw-files/${id}`, { filename: 'my map.pdf' });
    put('papers/map of it.pdf', '%PDF-1.7 another map');
    expect((await run()).files).toMatchObject({ updated: 1, unchanged: 1 });
    expect((await alice.get(`/raw-files/${id}`)).body).toMatchObject({ filename: 'my map.pdf', size: 20 });
    expect((await alice.get(`/raw-files/${id}/download`)).text).toBe('%PDF-1.7 another map');
    const [kept] = await world.nest
      .get(Database)
      .read<{ schema_version: number }>(sql`SELECT schema_version FROM nodes WHERE id = ${id}`);
    expect(kept?.schema_version).toBe(1);
  });

  it('attachments of a vault that were deleted in the service stay deleted', async () => {
    await run();
    await alice.delete(`/raw-files/${(await named('boat.png')).id}`);
    expect((await run()).files).toMatchObject({ created: 0, left_deleted: 1, unchanged: 1 });
    expect((await files()).length).toBe(1);
  });

  it('attachments of a vault lose their relationship with the link, and stay', async () => {
    await run();
    put('trips/sea.md', '# Sea\n\n![[boat.png]]\n');
    expect((await run()).relationships).toMatchObject({ deleted: 1 });
    expect((await files()).length).toBe(2);
  });

  it('attachments of a vault that cannot be read stop nothing', async () => {
    const graph = await readMarkdownVault(vault);
    unlinkSync(join(vault, 'trips/boat.png'));
    const access = await world.nest.get(Accesses).ofOwner(alice.id);
    const report = await world.nest.get(Importer).run(access, graph, { collection: 'v' });
    expect(report.files).toMatchObject({ created: 1, refused: 1 });
    expect(report.warnings).toContainEqual(expect.objectContaining({ ref: 'trips/boat.png' }));
    expect(describeImport(graph, report)).toContain('Files: 1 created, 1 refused');
  });
});
