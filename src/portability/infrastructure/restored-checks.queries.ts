import { Injectable } from '@nestjs/common';
import { NODE_FIELD_NAMES, termsOf, type WrittenField } from '../../graph/index.js';
import { Database } from '../../kernel/database/database.js';
import { type Sql, sql } from '../../kernel/database/sql.js';

/** Runs a part of an import: in a transaction of its own, or in the open one. */
export type Slice = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * The rows of one range; more only where that many share a value of the key. On a server, which has no statistics of
 * rows that a transaction has just written, a check may go through all rows of the owner for each range.
 */
const ROWS = { embedded: 500, server: 10_000 };

/**
 * Checks the rows of an import when all are written: that their references exist and that they agree with
 * their log, as far as no foreign key enforces it. A range of rows at a time, so that others need not wait
 * long.
 */
@Injectable()
export class RestoredChecks {
  constructor(private readonly database: Database) {}

  /** @returns the table of a row whose reference is missing, or that contradicts the log; else null */
  async dangling(ownerId: string, slice: Slice): Promise<string | null> {
    const owner = sql`${ownerId}::uuid`;
    for (const { key, checks } of CHECKS)
      for await (const range of this.ranges(owner, key, slice))
        for (const check of checks) {
          const found = await slice(() => this.isFound(check(owner, range)));
          if (found) return key.table;
        }
    return null;
  }

  /**
   * Marks the vectors that are a node's only one of their length, which are searched faster; derived from the
   * other rows.
   */
  async settleEmbeddings(ownerId: string, slice: Slice): Promise<void> {
    const key = { table: 'embeddings', column: 'node_id', type: 'uuid' } as const;
    for await (const range of this.ranges(sql`${ownerId}::uuid`, key, slice))
      await slice(() =>
        this.database.write(
          sql`UPDATE embeddings AS e SET is_alone = false
            WHERE e.owner_id = ${ownerId} AND ${range('e.node_id')} AND EXISTS (SELECT FROM embeddings AS o
              WHERE o.owner_id = e.owner_id AND o.node_id = e.node_id AND o.dimensions = e.dimensions AND o.model <> e.model)`,
        ),
      );
    // Vectors of texts that their nodes have no longer (rule 3.16c).
    for await (const range of this.ranges(sql`${ownerId}::uuid`, key, slice))
      await slice(() =>
        this.database.write(
          sql`UPDATE embeddings AS e
            SET past_tag_ids = p.tag_ids, past_schema_id = p.schema_id, past_node_type = p.node_type
            FROM embeddings AS o CROSS JOIN LATERAL past_of_vector(o.owner_id, o.node_id, o.dimensions, o.model) AS p
            WHERE o.owner_id = ${ownerId} AND ${range('o.node_id')} AND e.owner_id = o.owner_id AND e.node_id = o.node_id
              AND e.dimensions = o.dimensions AND e.model = o.model`,
        ),
      );
  }

  /**
   * Gives nodes that were deleted with their last tag the tags that they lived with (rule 4.5c): archives of 0.1.0 have
   * these in the log only.
   */
  async settleDeletedNodes(ownerId: string, slice: Slice): Promise<void> {
    const owner = sql`${ownerId}::uuid`;
    for await (const range of this.ranges(owner, byId('nodes'), slice))
      await slice(async () => {
        await this.chooseJoins(false);
        await this.database.write(
          sql`UPDATE nodes AS n SET tag_ids = o.tag_ids FROM (${lastChanges(owner, 'node', range)}) AS o
            WHERE n.owner_id = ${owner} AND ${range('n.id')} AND n.deleted_at IS NOT NULL AND o.entity_id = n.id
              AND o.action = 'deleted' AND o.tag_ids <> n.tag_ids`,
        );
      });
  }

  /** Parts of a table that together contain all of its rows. */
  private async *ranges(owner: Sql, { table, column, type }: Key, slice: Slice): AsyncGenerator<Range> {
    const [name, cast] = [sql.raw(column), sql.raw(type)];
    const rows = this.database.hasOneConnection ? ROWS.embedded : ROWS.server;
    for (let after: string | null = null; ;) {
      const from: Sql = after === null ? sql`TRUE` : sql`${name} > ${after}::${cast}`;
      const [row] = await slice(() =>
        this.database.read<{ bound: string }>(
          sql`SELECT ${name}::text AS bound FROM ${sql.raw(table)} WHERE owner_id = ${owner} AND ${from}
            ORDER BY ${name} OFFSET ${rows - 1} LIMIT 1`,
        ),
      );
      const [lower, upper]: [string | null, string | null] = [after, row?.bound ?? null];
      yield (of) => {
        const value = sql.raw(of);
        return sql`${lower === null ? sql`TRUE` : sql`${value} > ${lower}::${cast}`}
          AND ${upper === null ? sql`TRUE` : sql`${value} <= ${upper}::${cast}`}`;
      };
      if (upper === null) return;
      after = upper;
    }
  }

  private async isFound({ rows, isLookup }: Check): Promise<boolean> {
    await this.chooseJoins(isLookup);
    const [row] = await this.database.read<{ is_found: boolean }>(
      sql`SELECT EXISTS (SELECT FROM ${rows}) AS is_found`,
    );
    return row?.is_found === true;
  }

  /**
   * The planner has no statistics of rows that were just written, so each check determines its join. A server that
   * expects one row of an owner would look it up by any index of the owner's, and so go through all rows for each.
   */
  private async chooseJoins(isLookup: boolean): Promise<void> {
    const [lookups, joins] = isLookup && this.database.hasOneConnection ? ['on', 'off'] : ['off', 'on'];
    await this.database.write(
      sql`SELECT set_config('enable_nestloop', ${lookups}, true), set_config('enable_hashjoin', ${joins}, true),
        set_config('enable_mergejoin', ${joins}, true), set_config('enable_seqscan', ${joins}, true)`,
    );
  }
}

/** The column by which a table is scanned; an index has it after the owner. */
interface Key {
  table: string;
  column: string;
  type: 'uuid' | 'bigint';
}

/** A condition on a column of that name. */
type Range = (column: string) => Sql;

/** Rows that must not exist, as the text after FROM. */
interface Check {
  rows: Sql;
  /** True where each row is looked up by a primary key; false where two sets are joined. */
  isLookup: boolean;
}
type CheckOf = (owner: Sql, range: Range) => Check;

/** The condition that a field of a node is the same in the row `t` and in the last snapshot. */
function agreesIn(field: WrittenField): string {
  switch (termsOf(field).column) {
    case 'jsonb':
      return `nullif(o.snapshot -> '${field}', 'null') IS NOT DISTINCT FROM nullif(t.${field}, 'null')`;
    case 'double precision':
      return `(o.snapshot ->> '${field}')::float8 IS NOT DISTINCT FROM t.${field}`;
    default:
      return `o.snapshot ->> '${field}' IS NOT DISTINCT FROM t.${field}::text`;
  }
}

/**
 * Conditions under which a row agrees with the end of the log: lists read the row and sync reads the log, so
 * both must say the same. Of profiles and tags only the columns that decide permissions are compared.
 */
const AGREES: Readonly<Record<string, { entity: string; agrees: string }>> = {
  exposure_profiles: {
    entity: 'exposure_profile',
    agrees: `o.action <> 'deleted' AND o.snapshot -> 'is_active' IS NOT DISTINCT FROM to_jsonb(t.is_active)
      AND (SELECT bool_and((o.snapshot -> e.key) IS NOT DISTINCT FROM e.value) FROM jsonb_each(t.rules) AS e)`,
  },
  tags: {
    entity: 'tag',
    agrees: `(o.action = 'deleted') = (t.deleted_at IS NOT NULL) AND o.snapshot ->> 'name' IS NOT DISTINCT FROM t.name`,
  },
  nodes: {
    entity: 'node',
    agrees: `o.greatest_version IS NOT DISTINCT FROM t.version
      AND o.tag_ids IS NOT DISTINCT FROM t.tag_ids
      AND o.snapshot -> 'tag_ids' IS NOT DISTINCT FROM to_jsonb(o.tag_ids)
      AND ${NODE_FIELD_NAMES.map(agreesIn).join(' AND ')}
      AND o.schema_id IS NOT DISTINCT FROM t.schema_id
      AND o.node_type IS NOT DISTINCT FROM t.node_type
      AND o.node_created_at IS NOT DISTINCT FROM t.created_at
      AND (o.snapshot ->> 'deleted_at' IS NOT NULL) = (t.deleted_at IS NOT NULL)`,
  },
};

/** The last change of each thing of a kind. */
const lastChanges = (owner: Sql, entity: string, range: Range): Sql =>
  sql`SELECT DISTINCT ON (c.entity_id) c.*, max(c.version) OVER (PARTITION BY c.entity_id) AS greatest_version
    FROM changes AS c WHERE c.owner_id = ${owner} AND c.entity = ${entity} AND ${range('c.entity_id')}
    ORDER BY c.entity_id, c.sequence DESC`;

const contradicting =
  (table: keyof typeof AGREES): CheckOf =>
  (owner, range) => {
    const { entity, agrees } = AGREES[table] as (typeof AGREES)[string];
    const rows = sql`${sql.raw(table)} AS t LEFT JOIN (${lastChanges(owner, entity, range)}) AS o ON o.entity_id = t.id
      WHERE t.owner_id = ${owner} AND ${range('t.id')} AND (${sql.raw(agrees)}) IS NOT TRUE`;
    return { rows, isLookup: false };
  };

/** Rows `t` of a table, under a condition, for which another table has no row `o`. */
const without =
  ([key, condition]: [Key, string], [others, match]: [others: string, match: string]): CheckOf =>
  (owner, range) => ({
    rows: sql`${sql.raw(key.table)} AS t WHERE t.owner_id = ${owner} AND ${range(`t.${key.column}`)} AND ${sql.raw(condition)}
      AND NOT EXISTS (SELECT FROM ${sql.raw(others)} AS o WHERE o.owner_id = ${owner} AND ${sql.raw(match)})`,
    isLookup: true,
  });

const withUnknownTags: CheckOf = (owner, range) => ({
  rows: sql`(SELECT DISTINCT unnest(n.tag_ids) AS id FROM nodes AS n WHERE n.owner_id = ${owner} AND ${range('n.id')}) AS t
    WHERE NOT EXISTS (SELECT FROM tags AS o WHERE o.owner_id = ${owner} AND o.id = t.id)`,
  isLookup: true,
});

const byId = (table: string): Key => ({ table, column: 'id', type: 'uuid' });
const CHANGES: Key = { table: 'changes', column: 'sequence', type: 'bigint' };
const CONTRIBUTIONS: Key = { table: 'contributions', column: 'node_id', type: 'uuid' };
/** A contribution of a merged node still belongs to the change of the node that it was made to. */
const SAME_CHANGE = `o.sequence = t.sequence AND o.entity = 'node' AND o.entity_id = coalesce(t.came_from[1], t.node_id)`;

const CHECKS: readonly { key: Key; checks: readonly CheckOf[] }[] = [
  {
    key: byId('nodes'),
    checks: [
      withUnknownTags,
      without([byId('nodes'), 't.merged_into IS NOT NULL'], ['nodes', 'o.id = t.merged_into']),
      contradicting('nodes'),
    ],
  },
  { key: byId('exposure_profiles'), checks: [contradicting('exposure_profiles')] },
  { key: byId('tags'), checks: [contradicting('tags')] },
  {
    key: CHANGES,
    checks: [
      without([CHANGES, `t.entity IN ('node', 'embedding')`], ['nodes', 'o.id = t.entity_id']),
      without([CHANGES, `t.entity = 'relationship'`], ['relationships', 'o.id = t.entity_id']),
      without([CHANGES, `t.entity = 'tag'`], ['tags', 'o.id = t.entity_id']),
    ],
  },
  { key: CONTRIBUTIONS, checks: [without([CONTRIBUTIONS, 'TRUE'], ['changes', SAME_CHANGE])] },
  {
    key: byId('schemas'),
    checks: [
      without(
        [byId('schemas'), 't.deleted_at IS NULL'],
        ['schema_versions', 'o.schema_id = t.id AND o.version = t.version'],
      ),
    ],
  },
];
