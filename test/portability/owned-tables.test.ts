import { OWNED_TABLES } from '../../src/portability/domain/owned-tables.js';
import { type OwnedTable } from '../../src/portability/domain/owned-table.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { World } from '../support/world.js';

interface Column {
  table: string;
  column: string;
}

/** The differences between the catalog and the registry. */
function differences(catalog: readonly Column[], registry: readonly OwnedTable[]): string[] {
  const tables = new Set(catalog.map(({ table }) => table));
  const unknown = [...tables].filter((table) => !registry.some((owned) => owned.table === table));
  const gone = registry.filter(({ table }) => !tables.has(table)).map(({ table }) => table);
  const columns = registry.flatMap((owned) => {
    if (owned.fate === 'left out') return [];
    const there = catalog.filter(({ table }) => table === owned.table).map(({ column }) => column);
    const said = [
      ...Object.keys(owned.columns).filter((column) => !owned.expressions?.[column]?.startsWith('b.')),
      ...owned.hidden,
    ];
    return [
      ...there
        .filter((column) => !said.includes(column))
        .map((column) => `${owned.table}.${column} is not said`),
      ...said
        .filter((column) => !there.includes(column))
        .map((column) => `${owned.table}.${column} is not there`),
    ];
  });
  return [
    ...unknown.map((table) => `${table} is not said`),
    ...gone.map((table) => `${table} is not there`),
    ...columns,
  ];
}

describe('the registry of what belongs to somebody', () => {
  let world: World;
  let catalog: Column[];

  beforeAll(async () => {
    world = await World.startHere();
    catalog = await world.nest.get(Database).read<Column>(
      sql`SELECT table_name AS table, column_name AS column FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name NOT IN ('migrations', 'sweeps') ORDER BY 1, 2`,
    );
  });
  afterAll(() => world.stop());

  it('knows every table and every column of the database', () => {
    expect(catalog.length).toBeGreaterThan(200);
    expect(differences(catalog, OWNED_TABLES)).toEqual([]);
  });

  it('misses a planted table and a planted column', () => {
    const planted = [
      ...catalog,
      { table: 'diaries', column: 'owner_id' },
      { table: 'nodes', column: 'mood' },
    ];
    expect(differences(planted, OWNED_TABLES)).toEqual(['diaries is not said', 'nodes.mood is not said']);
  });

  it('says of every table with an owner how its rows go', async () => {
    const owned = new Set(catalog.filter(({ column }) => column === 'owner_id').map(({ table }) => table));
    const purged = OWNED_TABLES.filter(({ erased }) => erased === 'own').map(({ table }) => table);
    const departed = OWNED_TABLES.filter(({ erased }) => erased === 'departure').map(({ table }) => table);
    expect([...owned].filter((table) => !purged.includes(table) && !departed.includes(table))).toEqual([]);
    expect(purged.filter((table) => !owned.has(table))).toEqual([]);
  });
});
