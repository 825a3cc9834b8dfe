import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { contentBytes, withinPageBytes } from '../../../kernel/database/page-bytes.js';
import { sql } from '../../../kernel/database/sql.js';
import { type AskedThing } from '../../common/index.js';
import { type LoggedTag } from '../domain/logged-tag.js';
import { type Tag } from '../domain/tag.js';

interface TagRow {
  id: string | null;
  sequence: number;
  at: Date;
  is_gone: boolean;
  tag: Tag;
}

/** Tags as the change log keeps them. */
@Injectable()
export class LoggedTags {
  constructor(private readonly database: Database) {}

  /** The state of each after its last change up to a position, in the order of the list; null if it has none. */
  async states(ownerId: string, asked: readonly AskedThing[]): Promise<(LoggedTag | null)[]> {
    const states: (LoggedTag | null)[] = [];
    while (states.length < asked.length) {
      const part = asked.slice(states.length);
      const rows = await this.database.read<TagRow>(
        withinPageBytes({
          from: sql`unnest(${part.map(({ id }) => id)}::uuid[], ${part.map(({ upTo }) => upTo)}::bigint[])
            WITH ORDINALITY AS asked (id, upto, place) LEFT JOIN LATERAL (
              SELECT entity_id, sequence, changed_at, action, snapshot FROM changes
              WHERE owner_id = ${ownerId} AND entity = 'tag' AND entity_id = asked.id AND sequence <= asked.upto
              ORDER BY sequence DESC LIMIT 1) AS c ON TRUE`,
          columns: sql`c.entity_id AS id, c.sequence, c.changed_at AS at, c.action = 'deleted' AS is_gone, c.snapshot AS tag`,
          order: sql`asked.place`,
          bytes: contentBytes('c', { documents: ['snapshot'] }),
          names: sql`page.id, page.sequence, page.at, page.is_gone, page.tag`,
        }),
        'logged-tags',
      );
      states.push(...rows.map(stateOf));
    }
    return states;
  }
}

function stateOf({ id, sequence, at, is_gone: isGone, tag }: TagRow): LoggedTag | null {
  if (id === null) return null;
  const dates = { created_at: new Date(tag.created_at), updated_at: new Date(tag.updated_at) };
  return { id, steps: [{ sequence, at, isGone }], tag: { ...tag, ...dates } };
}
