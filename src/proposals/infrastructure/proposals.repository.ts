import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { contentBytes, withinPageBytes } from '../../kernel/database/page-bytes.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { Proposal, type ProposalRecord } from '../domain/proposal.js';
import { type ProposalStatus } from '../domain/proposal-status.js';

export interface ProposalListing {
  /** Null: of all apps. */
  appId: string | null;
  status?: ProposalStatus;
  graphView?: string;
  limit: number;
  offset: number;
}

/** The columns that change after a proposal was made. */
const CHANGING = sql.raw(
  [
    'status',
    'canonical_data',
    'tags',
    'entity_tags',
    'reasoning_metadata',
    'actions',
    'prepared',
    'approved_actions',
    'disclosed',
    'revision',
    'version',
    'message',
    'rejection_reason',
    'result',
    'updated_at',
    'reviewed_at',
    'applied_at',
    'reverted_at',
  ].join(', '),
);

/** The columns of unlimited size. All of them are the words of its app or user. */
const CONTENT = {
  texts: ['description', 'message', 'rejection_reason'],
  documents: ['raw_data', 'canonical_data', 'reasoning_metadata', 'actions', 'entity_tags', 'prepared'],
};

/**
 * Proposals as they are stored. An app finds its own, a user all that were made for them. Writes need a unit
 * of work.
 */
@Injectable()
export class ProposalsRepository {
  constructor(private readonly database: Database) {}

  /** @param appId null: of any app */
  async find(ownerId: string, appId: string | null, id: string): Promise<Proposal | null> {
    const [record] = await this.database.read<ProposalRecord>(
      sql`SELECT * FROM proposals WHERE ${ofApp(ownerId, appId)} AND id = ${id}`,
      'proposal',
    );
    return record ? Proposal.of(record) : null;
  }

  /** Locks the proposal against changes until the unit of work ends. */
  async lock(ownerId: string, id: string): Promise<Proposal | null> {
    const [record] = await this.database.write<ProposalRecord>(
      sql`SELECT * FROM proposals WHERE owner_id = ${ownerId} AND id = ${id} FOR UPDATE`,
      'proposal-lock',
    );
    return record ? Proposal.of(record) : null;
  }

  async insertMany(proposals: readonly Proposal[]): Promise<void> {
    const records = JSON.stringify(proposals.map(({ record }) => record));
    await this.database.write(
      sql`INSERT INTO proposals SELECT * FROM jsonb_populate_recordset(NULL::proposals, ${records}::jsonb)`,
      'proposals-insert',
    );
  }

  /** Saves the next version of a proposal that this unit has locked. */
  async update({ record }: Proposal): Promise<void> {
    await this.database.write(
      sql`UPDATE proposals SET (${CHANGING}) = (
          SELECT ${CHANGING} FROM jsonb_populate_record(NULL::proposals, ${JSON.stringify(record)}::jsonb))
        WHERE owner_id = ${record.owner_id} AND id = ${record.id}`,
      'proposal-update',
    );
  }

  async delete({ record }: Proposal): Promise<void> {
    await this.database.write(
      sql`DELETE FROM proposals WHERE owner_id = ${record.owner_id} AND id = ${record.id}`,
      'proposal-delete',
    );
  }

  /** A page of proposals, newest first, shorter if they are large; and the total. */
  async list(ownerId: string, listing: ProposalListing): Promise<{ proposals: Proposal[]; total: number }> {
    const { appId, status, graphView, limit, offset } = listing;
    const condition = sql.and([
      ofApp(ownerId, appId),
      status !== undefined && sql`status = ${status}`,
      graphView !== undefined && sql`graph_view = ${graphView}`,
    ]);
    const [records, [counted]] = await Promise.all([
      this.database.read<ProposalRecord>(
        withinPageBytes({
          from: sql`(SELECT * FROM proposals WHERE ${condition} ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}) AS p`,
          columns: sql`p.*`,
          order: sql`p.created_at DESC, p.id DESC`,
          bytes: contentBytes('p', CONTENT),
          names: sql`page.*`,
        }),
        'proposals-page',
      ),
      this.database.read<{ total: number }>(
        sql`SELECT count(*) AS total FROM proposals WHERE ${condition}`,
        'proposals-count',
      ),
    ]);
    return { proposals: records.map((record) => Proposal.of(record)), total: counted?.total ?? 0 };
  }
}

const ofApp = (ownerId: string, appId: string | null): Sql =>
  appId === null ? sql`owner_id = ${ownerId}` : sql`owner_id = ${ownerId} AND app_id = ${appId}`;
