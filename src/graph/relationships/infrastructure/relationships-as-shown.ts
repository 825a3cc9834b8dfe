import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { slicesOfShowing } from '../../common/index.js';
import { type Access, type IncomingShares } from '../../../privacy/index.js';
import { shownType } from '../domain/relationship-view.js';
import { inMaskedPlace, newestFirst } from '../../lists/index.js';
import {
  EDGE_WITH_ENDS,
  type EdgeRow,
  LIVING_EDGES,
  readableEdges,
  receivedEdges,
  type RelationshipListing,
  type RelationshipPage,
  TYPE_WITH_ENDS,
  type TypedEdgeRow,
  withEnds,
} from './relationship-rows.js';

/** The number of rows, without contexts, fetched at a time: few statements, and other requests run in between. */
const BATCH = 500;

/**
 * Lists by type for callers to whom transformations show other types than the stored ones: decided on shown
 * types (rule 3.16). The database does not know those, so every edge that passes the other filters is read
 * and shown here. Exact, and slower.
 */
@Injectable()
export class RelationshipsAsShown {
  constructor(private readonly database: Database) {}

  /** @throws TOO_MUCH_UNDER_WAY when other questions of the caller are not decided in time (rule 3.15e) */
  list(access: Access, received: IncomingShares, listing: RelationshipListing): Promise<RelationshipPage> {
    return inMaskedPlace(() => this.found(access, received, listing));
  }

  private async found(
    access: Access,
    received: IncomingShares,
    { filter, limit, offset }: RelationshipListing,
  ): Promise<RelationshipPage> {
    const own = readableEdges(access, filter);
    const condition = sql`((${own}) OR (${receivedEdges(access, received, filter)}))`;
    const ids: string[] = [];
    const slices = slicesOfShowing();
    for await (const row of this.readable(condition)) {
      if ((await shownType(access, withEnds(row), slices)) === filter.type) ids.push(row.id);
    }
    const rows = await this.database.read<EdgeRow>(
      sql`SELECT ${EDGE_WITH_ENDS} FROM ${LIVING_EDGES} WHERE ${condition} AND r.id = ANY(${ids}::uuid[])
        ORDER BY ${newestFirst(access, 'r')} LIMIT ${limit} OFFSET ${offset}`,
      'relationships-as-shown-page',
    );
    return { edges: rows.map(withEnds), total: ids.length };
  }

  private async *readable(condition: Sql): AsyncGenerator<TypedEdgeRow> {
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const rows = await this.database.read<TypedEdgeRow>(
        sql`SELECT ${TYPE_WITH_ENDS} FROM ${LIVING_EDGES} WHERE ${condition} AND r.id > ${after} ORDER BY r.id LIMIT ${BATCH}`,
        'relationships-as-shown',
      );
      yield* rows;
      if (rows.length < BATCH) return;
      after = (rows[rows.length - 1] as TypedEdgeRow).id;
    }
  }
}
