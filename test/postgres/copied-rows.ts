import pg from 'pg';
import { Database } from '../../src/kernel/database/database.js';
import { type World } from '../support/world.js';

interface Column {
  table: string;
  name: string;
  type: string;
  isUnique: boolean;
}

/** The ids of a copy: some columns are unchanged, so that copies belong to existing rows. */
interface Way {
  keeps: RegExp;
  /** Accounts whose ids are unchanged in every column. */
  people: 'everybody' | 'the owner' | 'nobody';
  without?: RegExp;
}

const WAYS: readonly Way[] = [
  // Copies everything: apps, profiles, nodes with tags and edges of their own.
  { people: 'everybody', keeps: /^blob_id$/ },
  // Copies nodes under the same tags, schemas, apps and sessions.
  { people: 'everybody', keeps: /^(?!(id|node_id|entity_id|from_node_id|to_node_id|merged_into)$)/ },
  // Copies versions, edges, deliveries, keys … of the same things, and adds people who share with them.
  {
    people: 'the owner',
    keeps:
      /^(?!(id|to_node_id|user_id|shared_with_user_id|follower_id|invited_user_id|target_group_id|group_id)$)/,
  },
];
/** Schemas can be public, so strangers' would be found. */
const STRANGERS: Way = { people: 'nobody', keeps: /^blob_id$/, without: /^schema/ };

/** Tables without an account, or derived from the others. */
const UNTOUCHED = ['migrations', 'sweeps', 'erasures', 'sequences', 'webhook_news', 'blobs'];
/** Columns of unique keys that are not names: a copy differs in another column. */
const WORDS = ['entity', 'caller', 'by_type', 'via', 'action', 'endpoint', 'model'];

/**
 * Makes an account large by copying the rows of a small one inside the database, for any set of tables: every
 * id, name and position of a copy is changed by its number.
 */
export class CopiedRows {
  private last = 0;

  private constructor(
    private readonly client: pg.Client,
    private readonly columns: ReadonlyMap<string, readonly Column[]>,
    private readonly ids: Readonly<Record<Way['people'], readonly string[]>>,
  ) {}

  /**
   * @param ownerId the owner of the growing account; all copies are made from the present state of the
   *   database
   */
  static async of(world: World, ownerId: string): Promise<CopiedRows> {
    const { url } = world.nest.get(Database).dataSource.options as { url: string };
    const client = new pg.Client(url);
    await client.connect();
    // ANALYZE reads all rows instead of some: plans must not depend on a sample.
    await client.query('SET default_statistics_target = 2000');
    await client.query(SEED);
    const columns = new Map<string, Column[]>();
    for (const column of (await client.query<Column>(COLUMNS, [UNTOUCHED])).rows)
      columns.set(column.table, [...(columns.get(column.table) ?? []), column]);
    for (const table of columns.keys())
      await client.query(
        `CREATE TABLE seed."${table}" AS TABLE public."${table}"; CREATE TABLE seed."new ${table}" (LIKE public."${table}")`,
      );
    const { rows } = await client.query<{ id: string }>('SELECT id FROM users UNION SELECT id FROM groups');
    const everybody = rows.map(({ id }) => id);
    return new CopiedRows(client, columns, { everybody, 'the owner': [ownerId], nobody: [] });
  }

  end(): Promise<void> {
    return this.client.end();
  }

  /** Adds this number of copies of each row to the account, in each way. */
  async grow(count: number): Promise<void> {
    for (const way of WAYS) await this.copy(way, count);
    await this.settle();
  }

  /** Adds this number of copies for other accounts, one of which has nearly all of them. */
  async surround(count: number): Promise<void> {
    await this.copy(STRANGERS, count);
    await this.settle();
  }

  private async copy(way: Way, count: number): Promise<void> {
    const numbers = `generate_series(${this.last + 1}, ${(this.last += count)})`;
    await this.client.query('BEGIN');
    // Triggers and foreign keys are off: derived rows are copied as well.
    await this.client.query(`SET LOCAL session_replication_role = replica`);
    for (const [table, columns] of this.columns) {
      if (way.without?.test(table)) continue;
      const names = columns.map(({ name }) => `"${name}"`).join(', ');
      const values = columns.map((column) => this.valueOf(column, way)).join(', ');
      const target = isNumbered(columns) ? `seed."new ${table}"` : `public."${table}"`;
      await this.client.query(
        `INSERT INTO ${target} (${names}) SELECT ${values} FROM ${numbers} AS number CROSS JOIN seed."${table}" AS row
           ON CONFLICT DO NOTHING`,
      );
    }
    await this.client.query('COMMIT');
  }

  private valueOf({ name, type, isUnique }: Column, { people, keeps }: Way): string {
    const column = `row."${name}"`;
    const isKept = keeps.test(name);
    switch (type) {
      case 'uuid':
        return isKept ? column : this.idOf(column, people);
      case '_uuid':
        return isKept ? column : `seed.copied(${column}, number)`;
      case 'text':
        return isUnique && !WORDS.includes(name) ? `${column} || ' ' || number` : column;
      case 'timestamptz':
        return `${column} + number * interval '${name === 'hour' ? '-1 hour' : '1 millisecond'}'`;
      case 'int8':
        return ['sequence', 'vector_id'].includes(name) ? `${column} + number * 10000` : column;
      default:
        return name === 'version' && isKept ? `${column} + number` : column;
    }
  }

  private idOf(column: string, people: Way['people']): string {
    const isOneOf = (ids: readonly string[]) => `${column} = ANY ('{${ids.join()}}')`;
    if (people === 'nobody')
      return `seed.copied(${column}, CASE WHEN ${isOneOf(this.ids.everybody)} AND number % 8 > 0 THEN -1 ELSE number END)`;
    return `CASE WHEN ${isOneOf(this.ids[people])} THEN ${column} ELSE seed.copied(${column}, number) END`;
  }

  /**
   * Numbers the copies of changes, and the rows that refer to them, without gaps: first those of nodes, so
   * that the newest are those of relationships and tags, as after an import. Everything that a process has
   * cached is invalid then.
   */
  private async settle(): Promise<void> {
    await this.client.query('BEGIN');
    await this.client.query(`SET LOCAL session_replication_role = replica; ${NUMBERS}`);
    for (const [table, columns] of this.columns) {
      if (!isNumbered(columns)) continue;
      const names = columns.map(({ name }) => `"${name}"`).join(', ');
      const values = columns.map(({ name }) => (name === 'sequence' ? 'n.number' : `c."${name}"`)).join(', ');
      await this.client.query(
        `INSERT INTO public."${table}" (${names}) SELECT ${values} FROM seed."new ${table}" AS c LEFT JOIN numbers AS n
           ON n.owner_id = c.owner_id AND n.sequence = c.sequence ON CONFLICT DO NOTHING;
         TRUNCATE seed."new ${table}"`,
      );
    }
    await this.client.query(
      `INSERT INTO sequences (id, changes) SELECT owner_id, max(sequence) FROM changes GROUP BY owner_id
         ON CONFLICT (id) DO UPDATE SET changes = excluded.changes, policy = sequences.policy + 1`,
    );
    await this.client.query('COMMIT');
    await this.client.query('VACUUM (ANALYZE)');
  }
}

const isNumbered = (columns: readonly Column[]): boolean => columns.some(({ name }) => name === 'sequence');

const NUMBERS = `
  CREATE TEMPORARY TABLE numbers ON COMMIT DROP AS
    SELECT c.owner_id, c.sequence, coalesce(s.changes, 0)
      + row_number() OVER (PARTITION BY c.owner_id ORDER BY c.entity <> 'node', c.sequence) AS number
    FROM seed."new changes" AS c LEFT JOIN sequences AS s ON s.id = c.owner_id;
  CREATE INDEX ON numbers (owner_id, sequence); ANALYZE numbers`;

const SEED = `
  CREATE SCHEMA seed;
  CREATE FUNCTION seed.copied(id uuid, number bigint) RETURNS uuid IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql
    AS $$ SELECT md5(id::text || number)::uuid $$;
  CREATE FUNCTION seed.copied(ids uuid[], number bigint) RETURNS uuid[] IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql
    AS $$ SELECT coalesce(array_agg(seed.copied(id, number) ORDER BY place), '{}') FROM unnest(ids) WITH ORDINALITY AS i (id, place) $$`;

const COLUMNS = `
  SELECT c.relname AS "table", a.attname AS name, t.typname AS type,
    EXISTS (SELECT FROM pg_index AS i WHERE i.indrelid = c.oid AND i.indisunique AND a.attnum = ANY (i.indkey)) AS "isUnique"
  FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid JOIN pg_type AS t ON t.oid = a.atttypid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
    AND a.attgenerated = '' AND a.attidentity = '' AND c.relname <> ALL ($1)
  ORDER BY c.relname, a.attnum`;
