import { codeOf } from '../support/worlds/nodes.js';
import { type TestUser, World } from '../support/world.js';
import { entryNameOf } from '../../src/portability/domain/owned-table.js';
import { RESTORED } from '../../src/portability/domain/restored-tables.js';
import {
  compared,
  type Entries,
  exported,
  imports,
  rowChangesOf,
  rowsOf,
  withEntry,
  zipped,
} from './archives.js';
import { fullAccount } from './full-account.js';

/** Entries that version 0.1.0 did not write. */
const ADDED_SINCE = ['data/imports.ndjson', 'data/imported_nodes.ndjson'];
const ENTRIES = RESTORED.map(entryNameOf);
const TABLES = RESTORED.map(({ table, columns }): [string, string[]] => [table, Object.keys(columns)]);

describe('incomplete archives (rule 12.3o)', () => {
  let world: World;
  let archive: Entries;
  let user: TestUser;
  beforeAll(async () => {
    world = await World.start();
    user = await world.user();
    archive = await exported((await fullAccount(world, 'whole')).user);
  });
  afterAll(() => world.stop());

  afterEach(async () => {
    const left = compared(await exported(user)).filter(([, content]) => content !== '');
    expect(left.map(([name]) => name)).toEqual([]);
  });

  /** @returns the message */
  const refusalOf = async (bytes: Buffer): Promise<string> => {
    const answer = await imports(user, bytes);
    expect(codeOf(answer)).toEqual([400, 'INVALID_ARCHIVE']);
    return answer.body.error.message as string;
  };
  /** A row of the archive, or one of the right form where the account has none. */
  const rowOf = ([table, columns]: [string, string[]]): Record<string, unknown> =>
    rowsOf(archive, `data/${table}.ndjson`)[0] ?? Object.fromEntries(columns.map((column) => [column, null]));
  const withOnly = (table: string, row: object): Promise<Buffer> =>
    withEntry(archive, `data/${table}.ndjson`, () => JSON.stringify(row));

  it.each(TABLES)(
    'a row of %s without any one of its columns is refused at its line',
    async (table, columns) => {
      for (const column of columns) {
        const row = rowOf([table, columns]);
        delete row[column];
        expect(await refusalOf(await withOnly(table, row))).toContain(`data/${table}.ndjson:1: `);
      }
    },
  );

  it.each(TABLES)(
    'a row of %s with a column that belongs to no archive is refused',
    async (table, columns) => {
      const row = { ...rowOf([table, columns]), owner_id: null };
      expect(await refusalOf(await withOnly(table, row))).toContain(
        `data/${table}.ndjson:1: must have the fields`,
      );
    },
  );

  it.each(['description', 'extends', 'created_by_app_id', 'updated_at'])(
    'a version of a schema whose record lacks %s is refused',
    async (field) => {
      const changed = rowChangesOf(archive)('schema_versions', ({ record }) => delete record[field]);
      expect(await refusalOf(await changed)).toContain('record must have the fields');
    },
  );

  it.each<[name: string, change: (link: Record<string, unknown>) => void]>([
    ['lacks its relevance', (link) => delete link['relevance_score']],
    ['has a field of no link', (link) => (link['extra'] = true)],
  ])('a node whose tag link %s is refused', async (_, change) => {
    const link = { relevance_score: 0.5, is_auto_generated: true, created_at: '2026-01-01T00:00:00.000Z' };
    change(link);
    const changed = rowChangesOf(archive)(
      'nodes',
      (row) => (row.tag_links = { [row.tag_ids[0]]: link }),
      (row: { tag_ids: string[] }) => row.tag_ids.length > 0,
    );
    expect(await refusalOf(await changed)).toContain('tag_links must have');
  });

  it.each(ENTRIES.filter((name) => !ADDED_SINCE.includes(name)))(
    'an archive without %s is refused, because rows may be lost',
    async (name) => {
      const bytes = await zipped([...archive].filter(([entry]) => entry !== name));
      expect(await refusalOf(bytes)).toBe(`${name}: is missing`);
    },
  );

  it('an archive of 0.1.0, without the entries that were added since, is imported', async () => {
    const heir = await world.user();
    const bytes = await zipped([...archive].filter(([entry]) => !ADDED_SINCE.includes(entry)));
    expect((await imports(heir, bytes)).status).toBe(201);
    expect(rowsOf(await exported(heir), 'data/nodes.ndjson')).toHaveLength(9);
  });
});
