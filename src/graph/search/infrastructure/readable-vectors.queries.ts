import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '../../../kernel/database/database.js';
import { openTransaction } from '../../../kernel/database/transaction.js';
import { sql } from '../../../kernel/database/sql.js';
import { type Access } from '../../../privacy/index.js';
import { type EmbeddingFilter, readableEmbeddings } from './embedding-filter.js';
import { type ReadableVectors } from '../../../libs/vector-index/nearest.js';
import { type StoredVector, type VectorShelf } from '../../../libs/vector-index/vector-shelf.js';
import { REST_MS, VectorShelves } from '../../../libs/vector-index/vector-shelves.js';

/**
 * The vectors that one access can read, and the owner's change counter in the snapshot in which that was
 * decided.
 */
interface Decided {
  changes: number;
  /** Null: there is no memory for them. */
  kept: (Omit<ReadableVectors, 'shelf'> & { shelf: symbol }) | null;
}

/** The limit for all lists of rows together. */
const LISTS_BYTES = 16 * 1024 * 1024;
const LIST_BYTES = 300;
const LISTS = 20_000;
/** The number of vectors in one statement. */
const BATCH = 500;

/**
 * Caches which vectors an access can compare, as totals are cached: under everything that decides it
 * (`access.key` and the filter), and until the owner's change counter moves, as it does with every
 * committed change of a node or an embedding. The vectors themselves are cached by their numbers and never
 * become stale.
 */
@Injectable()
export class ReadableVectorsQueries {
  /** 'asked' after one search; nothing is cached for a caller who searches only once. */
  private readonly known = new LRUCache<string, Decided | 'asked'>({
    max: LISTS,
    maxSize: LISTS_BYTES,
    sizeCalculation: (known) => LIST_BYTES + (known === 'asked' ? 0 : (known.kept?.rows.byteLength ?? 0)),
  });
  private readonly deciding = new Map<string, Promise<Decided | null>>();

  constructor(
    private readonly database: Database,
    private readonly shelves: VectorShelves,
  ) {}

  /** Null: not in memory now; the database must be searched. */
  async find(access: Access, filter: EmbeddingFilter): Promise<ReadableVectors | null> {
    // Inside a unit of work there are uncommitted rows, which must not reach others.
    if (openTransaction.getStore() !== null) return null;
    const { dimensions, model, view } = filter;
    const key = JSON.stringify([access.ownerId, access.key, dimensions, model ?? null, view]);
    const known = this.known.get(key);
    if (known === undefined) {
      this.known.set(key, 'asked');
      return null;
    }
    if (known !== 'asked' && known.changes >= access.changes) {
      const vectors = this.onShelf(access, dimensions, known);
      if (vectors !== null || known.kept === null) return vectors;
    }
    const decided = await this.decideOnce(key, access, filter);
    return decided && this.onShelf(access, dimensions, decided);
  }

  private onShelf({ ownerId }: Access, dimensions: number, { kept }: Decided): ReadableVectors | null {
    const shelf = kept && this.shelves.use(ownerId, dimensions, kept.shelf);
    return shelf && { ...kept, shelf };
  }

  /** Concurrent requests for the same decision share it, unless it began before their own guard looked. */
  private async decideOnce(key: string, access: Access, filter: EmbeddingFilter): Promise<Decided | null> {
    const running = this.deciding.get(key);
    if (running) {
      const decided = await running.catch(() => null);
      if (decided && decided.changes >= access.changes) return decided;
    }
    const deciding = this.decide(access, filter);
    this.deciding.set(key, deciding);
    try {
      const decided = await deciding;
      if (decided?.kept) this.known.set(key, decided);
      // Memory may become free when idle shelves are removed.
      else if (decided) this.known.set(key, decided, { ttl: REST_MS });
      return decided;
    } finally {
      if (this.deciding.get(key) === deciding) this.deciding.delete(key);
    }
  }

  /** Null: a listed vector was deleted before it could be read, or there is no memory for it. */
  private async decide(access: Access, filter: EmbeddingFilter): Promise<Decided | null> {
    const { changes, ids } = await this.readableIds(access, filter);
    const { ownerId } = access;
    const shelf = this.shelves.withRoom(ownerId, filter.dimensions, ids);
    if (shelf === null) return { changes, kept: null };
    await this.load(ownerId, shelf, ids);
    const rows = new Uint32Array(ids.length);
    let hasSeveral = false;
    for (const [place, id] of ids.entries()) {
      const row = shelf.row(id);
      if (row === undefined) return null;
      rows[place] = row;
      hasSeveral ||= place > 0 && shelf.nodeId(row) === shelf.nodeId(rows[place - 1] as number);
    }
    return { changes, kept: { shelf: shelf.name, rows, hasSeveral } };
  }

  /**
   * Numbers in the order of their nodes' ids, as one value, because thousands of rows cost more than their
   * contents.
   */
  private async readableIds(
    access: Access,
    filter: EmbeddingFilter,
  ): Promise<{ changes: number; ids: number[] }> {
    const [found] = await this.database.read<{ ids: Buffer | null; changes: number }>(
      sql`SELECT string_agg(int8send(e.vector_id), ''::bytea ORDER BY e.node_id, e.model) AS ids,
          coalesce((SELECT changes FROM sequences WHERE id = ${access.ownerId}), 0) AS changes
        FROM embeddings AS e WHERE ${readableEmbeddings(access, filter)}`,
      'vectors-readable',
    );
    const bytes = found?.ids ?? Buffer.alloc(0);
    const ids = Array.from({ length: bytes.length / 8 }, (_, place) =>
      Number(bytes.readBigInt64BE(place * 8)),
    );
    return { changes: found?.changes ?? 0, ids };
  }

  private async load(ownerId: string, shelf: VectorShelf, ids: readonly number[]): Promise<void> {
    const missing = ids.filter((id) => shelf.row(id) === undefined);
    for (let start = 0; start < missing.length; start += BATCH) {
      const wanted = missing.slice(start, start + BATCH);
      const rows = await this.database.read<{ vector_id: number; node_id: string; unit: Buffer }>(
        sql`SELECT e.vector_id, e.node_id, vector_send(e.unit) AS unit
          FROM unnest(${wanted}::bigint[]) AS wanted (id)
          JOIN embeddings AS e ON e.owner_id = ${ownerId} AND e.vector_id = wanted.id`,
        'vectors-load',
      );
      for (const row of rows) shelf.add(storedVector(row));
    }
  }
}

/** The binary form of pgvector: the length, two empty bytes, then the numbers, big-endian. */
function storedVector(row: { vector_id: number; node_id: string; unit: Buffer }): StoredVector {
  const unit = new Float32Array(row.unit.readUInt16BE(0));
  for (let place = 0; place < unit.length; place++) unit[place] = row.unit.readFloatBE(4 + 4 * place);
  return { vectorId: row.vector_id, nodeId: row.node_id, unit };
}
