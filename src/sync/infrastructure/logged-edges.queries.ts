import { Injectable } from '@nestjs/common';
import { type AskedThing, type LoggedEdge, LoggedEdges } from '../../graph/index.js';
import { Database } from '../../kernel/database/database.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { type LoggedThings, nextThings, type ThingStretch } from './logged-things.js';

/** Relationships in the order of a pass. */
@Injectable()
export class LoggedEdgesQueries implements LoggedThings<LoggedEdge> {
  constructor(
    private readonly database: Database,
    private readonly edges: LoggedEdges,
  ) {}

  next(stretch: ThingStretch) {
    return nextThings(this.database, stretch, {
      entity: 'relationship',
      touched: (since) => touchedEdges(stretch.ownerId, since),
    });
  }

  states(ownerId: string, asked: readonly AskedThing[]): Promise<(LoggedEdge | null)[]> {
    return this.edges.states(ownerId, asked);
  }
}

/**
 * Relationships that may be seen otherwise than at a position of the log although no rule has changed: changed ones, and
 * those of nodes whose facts or life have changed. One that has not changed since has its present ends at every moment
 * since, so that the table finds it; whatever was changed later than the moment of the page is found, too.
 */
const touchedEdges = (ownerId: string, since: number): Sql[] => [
  sql`SELECT entity_id AS id FROM changes
    WHERE owner_id = ${ownerId} AND entity = 'relationship' AND sequence > ${since}`,
  ...['from_node_id', 'to_node_id'].map(
    (end) => sql`SELECT r.id FROM (${movedNodes(ownerId, since)}) AS n
      JOIN relationships AS r ON r.owner_id = ${ownerId} AND r.${sql.raw(end)} = n.id AND r.deleted_at IS NULL`,
  ),
];

/** Nodes of which more has changed than what they say. */
const movedNodes = (ownerId: string, since: number): Sql =>
  sql`SELECT DISTINCT entity_id AS id FROM changes
    WHERE owner_id = ${ownerId} AND entity = 'node' AND sequence > ${since}
      AND (action <> 'updated' OR changed_fields IS NULL
        OR changed_fields ?| '{tags,tag_ids,schema_id,node_type,created_at,deleted_at,merged_into}'::text[])`;
