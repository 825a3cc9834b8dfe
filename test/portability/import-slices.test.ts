import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { codeOf } from '../support/worlds/nodes.js';
import { onPostgres } from '../support/database.js';
import { file } from '../support/worlds/files.js';
import { type TestUser, World } from '../support/world.js';
import { type Entries, imports, rowsOf, unzipped, zipped } from './archives.js';

/** Rows that one statement may write while others wait. */
const SLICE = 500;
/** Two slices, the second of them a part. */
const MANY = 601;
const WATCHED = ['blobs', 'tags', 'nodes', 'changes', 'contributions', 'embeddings'];

describe('an import of many rows, and what takes it back', () => {
  let world: World;
  let archive: Entries;
  beforeAll(async () => {
    world = await World.startHere();
    await watch();
    archive = await manyRows(await world.user());
  });
  afterAll(() => world.stop());
  beforeEach(() => write(sql`DELETE FROM written`));

  const write = (statement: ReturnType<typeof sql>): Promise<unknown> =>
    world.nest.get(UnitOfWork).run(() => world.nest.get(Database).write(statement));

  /** Statements that write to the watched tables note how many rows they wrote. */
  async function watch(): Promise<void> {
    await write(sql`CREATE TABLE written (place text, kind text, rows bigint)`);
    await write(sql`CREATE FUNCTION note_written() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO written SELECT TG_TABLE_NAME, TG_OP, count(*) FROM touched; RETURN NULL; END $$`);
    for (const table of WATCHED)
      for (const [kind, rows] of [
        ['INSERT', 'NEW'],
        ['UPDATE', 'NEW'],
        ['DELETE', 'OLD'],
      ])
        await write(
          sql.raw(`CREATE TRIGGER written_${kind} AFTER ${kind} ON ${table} REFERENCING ${rows} TABLE AS touched
            FOR EACH STATEMENT EXECUTE FUNCTION note_written()`),
        );
  }
  const mostWritten = (): Promise<{ place: string; kind: string; rows: number }[]> =>
    world.nest
      .get(Database)
      .read(sql`SELECT place, kind, max(rows) AS rows FROM written GROUP BY 1, 2 ORDER BY 1, 2`);

  /** Everything in large numbers: tags in a chain, vectors of two models. The file is one more node. */
  async function manyRows(user: TestUser): Promise<Entries> {
    for (let start = 0; start < MANY; start += 100) {
      const length = Math.min(100, MANY - start);
      const nodes = Array.from({ length }, (_, n) => ({
        title: `note ${start + n}`,
        node_type: 'NOTE',
        tags: [`tag ${start + n}`],
      }));
      expect((await user.post('/nodes/batch', { nodes })).status).toBeLessThan(300);
    }
    await file(user, { content: 'file' });
    await write(
      sql`UPDATE tags AS t SET parent_tag_id = p.id FROM (SELECT id, lag(id) OVER (ORDER BY id) AS above FROM tags
          WHERE owner_id = ${user.id}) AS x JOIN tags AS p ON p.owner_id = ${user.id} AND p.id = x.above
        WHERE t.owner_id = ${user.id} AND t.id = x.id`,
    );
    for (const model of ['one', 'two'])
      await write(
        sql`INSERT INTO embeddings (owner_id, node_id, dimensions, model, unit, updated_at, graph_view, tag_ids, schema_id,
            node_type, node_created_at, is_deleted)
          SELECT owner_id, id, 2, ${model}, '[0.6,0.8]', now(), graph_view, tag_ids, schema_id, node_type, created_at, false
          FROM nodes WHERE owner_id = ${user.id}`,
      );
    return unzipped((await user.get('/export')).bytes);
  }

  const embeddingsAlone = async ({ id }: TestUser): Promise<unknown> =>
    (
      await world.nest
        .get(Database)
        .read(
          sql`SELECT count(*)::int AS all, count(*) FILTER (WHERE is_alone)::int AS alone FROM embeddings WHERE owner_id = ${id}`,
        )
    )[0];

  it('writes and takes back at most 500 rows in a statement where others wait (rule 11.9e)', async () => {
    const bob = await world.user();
    expect((await imports(bob, await zipped(archive))).status).toBe(201);
    expect(await embeddingsAlone(bob)).toEqual({ all: 2 * (MANY + 1), alone: 0 });
    const changes = archive.get('data/changes.ndjson') as Buffer;
    const lines = changes.toString().split('\n').slice(0, -2);
    const shorter = new Map(archive).set('data/changes.ndjson', Buffer.from(lines.join('\n')));
    const carol = await world.user();
    expect(codeOf(await imports(carol, await zipped(shorter)))).toEqual([400, 'INVALID_ARCHIVE']);
    expect((await carol.get('/tags')).body.tags).toEqual([]);
    expect((await imports(carol, await zipped(archive))).status).toBe(201);
    const erased = await bob.send('DELETE', '/auth/me', { password: 'correct horse battery' });
    expect(erased.status).toBe(204);
    const written = await mostWritten();
    expect(written.map(({ place }) => place)).toEqual(expect.arrayContaining(WATCHED));
    if (!onPostgres) expect(written.filter(({ rows }) => rows > SLICE)).toEqual([]);
  });

  it('finds a contribution and a tag that refer to nothing in every part of their tables (rule 12.3)', async () => {
    const bob = await world.user();
    for (const [table, place, wrong] of [
      ['contributions', 0, { sequence: 9_007_199_254_740_991 }],
      ['contributions', MANY - 1, { sequence: 9_007_199_254_740_991 }],
      ['nodes', MANY - 1, { tag_ids: ['00000000-0000-4000-8000-00000000dead'] }],
      ['tags', MANY - 1, { name: 'another than the log says' }],
    ] as const) {
      const name = `data/${table}.ndjson`;
      const rows = rowsOf(archive, name);
      rows[place] = { ...rows[place], ...wrong };
      const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
      const { status, text: said } = await imports(
        bob,
        await zipped(new Map(archive).set(name, Buffer.from(text))),
      );
      expect([status, said.includes(`data/${table}.ndjson: refers to`)]).toEqual([400, true]);
    }
    expect((await imports(bob, await zipped(archive))).status).toBe(201);
  });
});
