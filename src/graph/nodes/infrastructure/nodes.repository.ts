import { Injectable } from '@nestjs/common';
import { BatchLoader } from '../../../kernel/database/batch-loader.js';
import { Database } from '../../../kernel/database/database.js';
import { openTransaction } from '../../../kernel/database/transaction.js';
import { jsonPart } from '../../../kernel/database/json-part.js';
import { Sql, sql } from '../../../kernel/database/sql.js';
import { type BatchableWrite } from '../../../kernel/write-batching/batchable-write.js';
import { Node } from '../domain/node.js';
import { type NodeRecord, type NodeSnapshot } from '../../common/index.js';
import { NODE_COLUMN_NAMES, NODE_COLUMNS, nodeColumns } from '../../lists/index.js';

/** The columns that identify a node or never change after its creation. */
const FIXED = new Set<keyof NodeRecord>(['owner_id', 'id', 'created_at']);
const CHANGING = NODE_COLUMN_NAMES.filter((name) => !FIXED.has(name));

const ALL = sql.raw(NODE_COLUMN_NAMES.join(', '));
const TYPED = Object.entries(NODE_COLUMNS)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ');
const AS_ROWS = sql.raw(TYPED);
const FROM_ROWS = sql.raw(CHANGING.map((name) => `${name} = r.${name}`).join(', '));

const INSERT_ROWS = `INSERT INTO nodes (${NODE_COLUMN_NAMES.join(', ')}) SELECT ${NODE_COLUMN_NAMES.join(', ')} FROM jsonb_to_recordset(`;
const INSERT_SHARED = `${INSERT_ROWS}$rows) AS r (${TYPED}) WHERE owner_id IN (SELECT owner_id FROM counted)`;
/** The fields that snapshots do not have, and no others. */
const NOT_IN_SNAPSHOTS = { tag_links: true } satisfies Record<
  Exclude<keyof NodeRecord, keyof NodeSnapshot>,
  true
>;
const IN_SNAPSHOTS = NODE_COLUMN_NAMES.filter((name) => !(name in NOT_IN_SNAPSHOTS));
const INSERT_FROM_CHANGES =
  sql.raw(`INSERT INTO nodes (${IN_SNAPSHOTS.join(', ')}) SELECT ${IN_SNAPSHOTS.map((name) => `r.${name}`).join(', ')}
  FROM given CROSS JOIN LATERAL jsonb_to_record(given.snapshot) AS r (${TYPED})`);
const INSERT = [
  `INSERT INTO nodes (${NODE_COLUMN_NAMES.join(', ')}) VALUES (`,
  ...NODE_COLUMN_NAMES.slice(1).map(() => ', '),
  ')',
];

/**
 * The most nodes by id in a statement that requests share: the largest ones are 20 MB. Such a statement is nobody's, so
 * it gives way to nobody.
 */
const MOST_TOGETHER = 32;

/** Nodes as stored, without permission checks. Writes need a unit of work. */
@Injectable()
export class NodesRepository {
  private readonly together = new BatchLoader(
    (places: readonly NodeKey[]) => this.readAll(places),
    MOST_TOGETHER,
  );

  constructor(private readonly database: Database) {}

  /** Finds a node, deleted or not. */
  async find(ownerId: string, id: string): Promise<Node | null> {
    const place = { ownerId, id };
    const record = openTransaction.getStore() ? await this.readOne(place) : await this.together.load(place);
    return record ? Node.of(record) : null;
  }

  /** Nodes by id, deleted ones too. */
  async list(ownerId: string, ids: readonly string[]): Promise<Map<string, Node>> {
    const records = await this.database.read<NodeRecord>(
      sql`SELECT ${ALL} FROM nodes WHERE owner_id = ${ownerId} AND id = ANY(${ids}::uuid[])`,
      'nodes-by-id',
    );
    return new Map(records.map((record) => [record.id, Node.of(record)]));
  }

  /** Locks these nodes until the unit ends; always in the order of ids, so that two units cannot deadlock. */
  async lock(ownerId: string, ids: readonly string[]): Promise<Map<string, Node>> {
    const records = await this.database.write<NodeRecord>(
      sql`SELECT ${ALL} FROM nodes WHERE owner_id = ${ownerId} AND id = ANY(${ids}::uuid[]) ORDER BY id FOR UPDATE`,
      'node-lock',
    );
    return new Map(records.map((record) => [record.id, Node.of(record)]));
  }

  /** The tags among these that a living node carries. */
  async tagsInUse(ownerId: string, tagIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.read<{ id: string }>(
      sql`SELECT t.id FROM unnest(${tagIds}::uuid[]) AS t (id) WHERE EXISTS (
          SELECT 1 FROM nodes WHERE owner_id = ${ownerId} AND deleted_at IS NULL AND t.id = ANY(tag_ids))`,
      'tags-in-use',
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Nodes of that id in the graphs of several owners, deleted ones too. */
  async findAmong(ownerIds: readonly string[], id: string): Promise<Node[]> {
    if (ownerIds.length === 0) return [];
    const records = await this.database.read<NodeRecord>(
      sql`SELECT ${ALL} FROM nodes WHERE owner_id = ANY(${ownerIds}::uuid[]) AND id = ${id}`,
      'node-among',
    );
    return records.map((record) => Node.of(record));
  }

  /** Written together with the change log, unless another statement comes first. */
  insert({ record }: Node): void {
    const write: BatchableWrite = {
      name: 'node-insert',
      get statement() {
        return new Sql(
          INSERT,
          NODE_COLUMN_NAMES.map((name) => parameter(record, name)),
        );
      },
      shared: { text: INSERT_SHARED, row: record },
    };
    this.database.defer(write);
  }

  /** Written together with the change log, unless another statement comes first. */
  insertMany(nodes: readonly Node[]): void {
    if (nodes.length === 0) return;
    const ids = () => new Set(nodes.map(({ id }) => id));
    const write: BatchableWrite = {
      name: 'nodes-insert',
      get statement() {
        return sql`${sql.raw(INSERT_ROWS)}${rows(nodes)}::jsonb) AS r (${AS_ROWS})`;
      },
      ...(nodes.every(isInItsSnapshot)
        ? { derivableFromChange: { entity: 'node', ids: ids(), statement: INSERT_FROM_CHANGES } }
        : {}),
    };
    this.database.defer(write);
  }

  /**
   * Saves the next version of a node.
   * @returns false when the stored version is not the one before: nothing was written
   */
  async update({ record }: Node): Promise<boolean> {
    const assignments = sql.join(CHANGING.map((name) => sql`${sql.raw(name)} = ${parameter(record, name)}`));
    const updated = await this.database.write(
      sql`UPDATE nodes SET ${assignments}
        WHERE owner_id = ${record.owner_id} AND id = ${record.id} AND version = ${record.version - 1} RETURNING id`,
      'node-update',
    );
    return updated.length === 1;
  }

  private async readOne({ ownerId, id }: NodeKey): Promise<NodeRecord | undefined> {
    const [record] = await this.database.read<NodeRecord>(
      sql`SELECT ${ALL} FROM nodes WHERE owner_id = ${ownerId} AND id = ${id}`,
      'node',
    );
    return record;
  }

  private async readAll(places: readonly NodeKey[]): Promise<readonly (NodeRecord | undefined)[]> {
    if (places.length === 1) return [await this.readOne(places[0] as NodeKey)];
    const [owners, ids] = [places.map(({ ownerId }) => ownerId), places.map(({ id }) => id)];
    const found = await this.database.read<NodeRecord | Record<keyof NodeRecord, null>>(
      sql`SELECT ${nodeColumns('n')} FROM unnest(${owners}::uuid[], ${ids}::uuid[]) WITH ORDINALITY AS asked (owner_id, id, place)
        LEFT JOIN nodes AS n ON n.owner_id = asked.owner_id AND n.id = asked.id ORDER BY asked.place`,
      'nodes-together',
    );
    return found.map((record) => (record.id === null ? undefined : record));
  }

  /** Saves new versions of nodes that this unit has locked; they may be several versions ahead. */
  async updateMany(nodes: readonly Node[]): Promise<void> {
    const [first] = nodes;
    if (first === undefined) return;
    for (let from = 0; from < nodes.length;) {
      const { json, end } = await jsonPart(nodes, { from, formOf: ({ record }) => record });
      await this.database.write(
        sql`UPDATE nodes AS n SET ${FROM_ROWS} FROM jsonb_to_recordset(${json}::jsonb) AS r (${AS_ROWS})
          WHERE n.owner_id = ${first.ownerId} AND n.id = r.id`,
        'nodes-update',
      );
      from = end;
    }
  }
}

/** The key of a node. */
interface NodeKey {
  ownerId: string;
  id: string;
}

/** True if no tag link is stored: the snapshot then contains every other field. */
const isInItsSnapshot = ({ record }: Node): boolean => Object.keys(record.tag_links).length === 0;

const rows = (nodes: readonly Node[]): string => JSON.stringify(nodes.map(({ record }) => record));

/** JSON is passed as text, because the driver would write an array as a PostgreSQL array. */
function parameter(record: NodeRecord, name: keyof NodeRecord): unknown {
  const value = record[name];
  return NODE_COLUMNS[name] === 'jsonb' && value !== null ? JSON.stringify(value) : value;
}
