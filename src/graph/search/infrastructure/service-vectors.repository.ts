import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../../../kernel/change-log/change-log.js';
import { UnitOfWork } from '../../../kernel/change-log/unit-of-work.js';
import { Database } from '../../../kernel/database/database.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type Access, compileVisibility } from '../../../privacy/index.js';
import { FACT_COLUMNS } from '../../lists/index.js';
import { type Node, NodesRepository } from '../../nodes/index.js';
import { type UnitVector } from '../domain/embedding.js';
import { changeOfEmbedding } from '../domain/embedding-change.js';
import { comparableNodes, passesRules } from './embedding-filter.js';
import { EmbeddingQueue, type LeasedSetting } from './embedding-queue.repository.js';
import { vectorText } from './embeddings.repository.js';

const BYTES_OF_NUMBER = 4;
/** Vectors looked at or removed in one statement. */
const PAGE = 500;
/** Nodes looked at in one statement of a scan. */
const SCANNED = 200;

/** The access of an owner's profile, which decides about the texts to send, and the setting as the worker knows it. */
export interface Sending {
  setting: LeasedSetting;
  access: Access;
  model: string;
}

/** The text of a node that may be sent, and its hash. */
export interface SendableText {
  id: string;
  text: string;
  hash: Buffer;
}

export interface ComputedVector extends Omit<SendableText, 'text'> {
  unit: UnitVector;
}

/** A part of the nodes that a worker looks through, and the place after it. */
export interface Part<Place> {
  ids: string[];
  next: Place;
}

/**
 * Vectors that the service has made, and texts that it may send: of nodes that the profile shows in full (rule 4.19). A
 * vector of a caller is never replaced.
 */
@Injectable()
export class ServiceVectors {
  constructor(
    private readonly database: Database,
    private readonly units: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly nodes: NodesRepository,
    private readonly queue: EmbeddingQueue,
  ) {}

  /** Nodes in the changes after a number, up to the last one that the lease knows: later rules may be about later ones. */
  async changedAfter(setting: LeasedSetting, after: number, limit: number): Promise<Part<number>> {
    const { ownerId, changes } = setting;
    const rows = await this.database.read<{ id: string; sequence: number }>(
      sql`SELECT c.entity_id AS id, c.sequence FROM changes c
        WHERE c.owner_id = ${ownerId} AND c.sequence > ${after} AND c.sequence <= ${changes} AND c.entity = 'node' ORDER BY c.sequence LIMIT ${limit}`,
      'embedding-changed',
    );
    // Several rows can be of one node, so that the number of rows says if there are more.
    const last = rows.length === limit ? rows.at(-1)?.sequence : undefined;
    return { ids: [...new Set(rows.map(({ id }) => id))], next: last ?? changes };
  }

  /** Nodes after an id; null is the place after the last one. */
  async nodesAfter({ ownerId }: LeasedSetting, after: string): Promise<Part<string | null>> {
    const rows = await this.database.read<{ id: string }>(
      sql`SELECT n.id FROM nodes n WHERE n.owner_id = ${ownerId} AND n.id > ${after} ORDER BY n.id LIMIT ${SCANNED}`,
      'embedding-scan',
    );
    const ids = rows.map(({ id }) => id);
    return { ids, next: ids.length === SCANNED ? (ids.at(-1) as string) : null };
  }

  /** The nodes among these whose text has no vector of the model yet and may be sent, in the order of ids. */
  async lacking(sending: Sending, ids: readonly string[], limit: number): Promise<string[]> {
    if (ids.length === 0) return [];
    const rows = await this.database.read<{ id: string }>(
      sql`SELECT n.id FROM nodes n WHERE ${mayBeSent(sending, ids)} ORDER BY n.id LIMIT ${limit}`,
      'embedding-lacking',
    );
    return rows.map(({ id }) => id);
  }

  /** The texts of these nodes as they may be sent now; none once the owner has switched off or changed the rules. */
  texts(sending: Sending, ids: readonly string[]): Promise<SendableText[]> {
    const { setting, access } = sending;
    return this.database.read<SendableText>(
      sql`SELECT n.id, embedded_text(n.title, n.value) AS text, embedded_hash(n.title, n.value) AS hash FROM nodes n
        WHERE ${mayBeSent(sending, ids)} AND ${this.queue.isCurrent(setting, access.policy)} ORDER BY n.id`,
      'embedding-texts',
    );
  }

  /** Writes vectors of nodes that still have the text and may still be sent. @returns how many */
  save(sending: Sending, vectors: readonly ComputedVector[], at: Date): Promise<number> {
    const { setting, access, model } = sending;
    const { ownerId } = setting;
    return this.units.run(async () => {
      const locked = await this.nodes.lock(
        ownerId,
        vectors.map(({ id }) => id),
      );
      const units = vectors.map(({ unit }) => vectorText(unit));
      const hashes = vectors.map(({ hash }) => hash.toString('hex'));
      const ids = vectors.map(({ id }) => id);
      const saved = await this.database.write<{ node_id: string; dimensions: number; is_new: boolean }>(
        sql`INSERT INTO embeddings AS e (owner_id, node_id, dimensions, model, graph_view, tag_ids, schema_id, node_type,
            node_created_at, is_deleted, unit, updated_at, made_of)
          SELECT n.owner_id, n.id, vector_dims(r.unit), ${model}, n.graph_view, n.tag_ids, n.schema_id, n.node_type,
            n.created_at, false, r.unit, ${at}, r.hash
          FROM (SELECT node_id, unit::vector AS unit, decode(hash, 'hex') AS hash
            FROM unnest(${ids}::uuid[], ${units}::text[], ${hashes}::text[]) AS given (node_id, unit, hash)) AS r
          JOIN nodes AS n ON n.owner_id = ${ownerId} AND n.id = r.node_id
          WHERE ${mayBeSent(sending, ids)} AND embedded_hash(n.title, n.value) = r.hash
            AND ${this.queue.isCurrent(setting, access.policy)}
          ON CONFLICT (owner_id, node_id, dimensions, model) DO UPDATE SET graph_view = EXCLUDED.graph_view,
            tag_ids = EXCLUDED.tag_ids, schema_id = EXCLUDED.schema_id, node_type = EXCLUDED.node_type,
            node_created_at = EXCLUDED.node_created_at, is_deleted = false, unit = EXCLUDED.unit,
            vector_id = EXCLUDED.vector_id, updated_at = EXCLUDED.updated_at, made_of = EXCLUDED.made_of,
            past_tag_ids = NULL, past_schema_id = NULL, past_node_type = NULL WHERE e.made_of IS NOT NULL
          RETURNING e.node_id, e.dimensions, e.xmax = 0 AS is_new`,
        'embedding-save',
      );
      if (saved.length === 0) return 0;
      const dimensions = saved[0]?.dimensions ?? 0;
      const added = saved.reduce((sum, { is_new }) => sum + (is_new ? dimensions : 0), 0);
      const removed = await this.removeOthers(sending, {
        ids: saved.map(({ node_id }) => node_id),
        dimensions,
      });
      if (added !== removed)
        this.changes.count(ownerId, { graph_bytes: (added - removed) * BYTES_OF_NUMBER });
      for (const { node_id } of saved) {
        const node = locked.get(node_id) as Node;
        this.changes.append(changeOfEmbedding(node, { model, dimensions }));
      }
      return saved.length;
    });
  }

  /**
   * Vectors of these nodes' present text that are taken for those of a past one, because other fields were changed, are
   * those of the present one again.
   */
  confirm(sending: Sending, ids: readonly string[]): Promise<void> {
    const { setting, access, model } = sending;
    const { ownerId } = setting;
    const stale = sql`e.owner_id = ${ownerId} AND e.model = ${model} AND e.past_node_type IS NOT NULL AND e.made_of IS NOT NULL`;
    return this.units.run(async () => {
      const found = await this.database.read<{ id: string }>(
        sql`SELECT DISTINCT e.node_id AS id FROM embeddings e WHERE ${stale} AND e.node_id = ANY(${[...ids]}::uuid[])`,
        'embedding-stale',
      );
      if (found.length === 0) return;
      const places = found.map(({ id }) => id);
      const locked = await this.nodes.lock(ownerId, places);
      const confirmed = await this.database.write<{ node_id: string; dimensions: number }>(
        sql`UPDATE embeddings e SET past_tag_ids = NULL, past_schema_id = NULL, past_node_type = NULL
          FROM nodes n WHERE ${stale} AND e.node_id = ANY(${places}::uuid[]) AND n.owner_id = e.owner_id AND n.id = e.node_id
            AND e.made_of = embedded_hash(n.title, n.value) AND ${passesRules(access)}
          RETURNING e.node_id, e.dimensions`,
        'embedding-confirm',
      );
      for (const { node_id, dimensions } of confirmed)
        this.changes.append(changeOfEmbedding(locked.get(node_id) as Node, { model, dimensions }));
    });
  }

  /** Removes vectors of the service from those of the nodes that the profile does not show in full. @returns how many */
  removeHidden({ ownerId }: LeasedSetting, access: Access | null, ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return Promise.resolve(0);
    const hidden = access === null ? sql`TRUE` : sql`NOT (${passesRules(access)})`;
    return this.removeWhere(ownerId, sql`e.node_id = ANY(${[...ids]}::uuid[]) AND ${hidden}`);
  }

  /** Nodes with a vector of the service after an id. */
  async madeAfter({ ownerId }: LeasedSetting, after: string | null): Promise<string[]> {
    const rows = await this.database.read<{ id: string }>(
      sql`SELECT DISTINCT e.node_id AS id FROM embeddings e WHERE e.owner_id = ${ownerId} AND e.made_of IS NOT NULL
        AND (${after}::uuid IS NULL OR e.node_id > ${after}::uuid) ORDER BY 1 LIMIT ${PAGE}`,
      'embedding-made',
    );
    return rows.map(({ id }) => id);
  }

  /** Removes vectors of nodes that have been made for another model or length. @returns the numbers in them */
  private async removeOthers(
    { setting: { ownerId }, model }: Sending,
    { ids, dimensions }: { ids: readonly string[]; dimensions: number },
  ): Promise<number> {
    const rows = await this.database.write<{ dimensions: number }>(
      sql`DELETE FROM embeddings e WHERE e.owner_id = ${ownerId} AND e.node_id = ANY(${[...ids]}::uuid[])
        AND e.made_of IS NOT NULL AND (e.model, e.dimensions) <> (${model}::text, ${dimensions}::smallint)
        RETURNING e.dimensions`,
      'embedding-remove-others',
    );
    await this.database.write(
      sql`UPDATE embeddings AS e SET is_alone = FALSE
        WHERE e.owner_id = ${ownerId} AND e.node_id = ANY(${[...ids]}::uuid[]) AND e.is_alone AND EXISTS (
          SELECT FROM embeddings AS other WHERE other.owner_id = e.owner_id AND other.node_id = e.node_id
            AND other.dimensions = e.dimensions AND other.model <> e.model)`,
      'embeddings-mark',
    );
    return rows.reduce((sum, row) => sum + row.dimensions, 0);
  }

  /**
   * The rules of the owner count as changed, because lists of readable vectors are remembered under their counter (ADR 8):
   * no row of the log is about a vector that is gone.
   */
  private removeWhere(ownerId: string, condition: Sql): Promise<number> {
    return this.units.run(async () => {
      const removed = await this.database.write<{ dimensions: number }>(
        sql`DELETE FROM embeddings e WHERE e.owner_id = ${ownerId} AND e.made_of IS NOT NULL AND ${condition}
          RETURNING e.dimensions`,
        'embedding-remove-vectors',
      );
      if (removed.length === 0) return 0;
      const numbers = removed.reduce((sum, { dimensions }) => sum + dimensions, 0);
      this.changes.count(ownerId, { graph_bytes: -numbers * BYTES_OF_NUMBER });
      this.changes.bumpPolicyVersion(ownerId);
      return removed.length;
    });
  }
}

/** Living nodes among these that the profile shows in full, and whose text has no vector of the model. */
const mayBeSent = ({ setting: { ownerId }, access, model }: Sending, ids: readonly string[]): Sql =>
  sql`n.owner_id = ${ownerId} AND n.id = ANY(${[...ids]}::uuid[]) AND n.deleted_at IS NULL
    AND ${compileVisibility(access.nodes.read, FACT_COLUMNS)} AND ${compileVisibility(comparableNodes(access), FACT_COLUMNS)}
    AND NOT EXISTS (SELECT FROM embeddings AS had WHERE had.owner_id = n.owner_id AND had.node_id = n.id
      AND had.model = ${model} AND (had.made_of IS NULL OR had.made_of = embedded_hash(n.title, n.value)))`;
