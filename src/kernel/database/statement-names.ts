import { createHash } from 'node:crypto';
import type pg from 'pg';
import { type Sql } from './sql.js';

/** Further shapes are sent unnamed: each name is a plan that every connection keeps. */
const MAX_NAMES = 400;

/** Names statements after their texts, so that PostgreSQL plans each text once per connection. */
export class StatementNames {
  private readonly names = new Map<string, string>();

  /** @param label the beginning of the name; a statement without one is planned each time */
  prepare(statement: Sql, label: string | undefined): pg.QueryConfig {
    const text = statement.text;
    if (label === undefined) return { text, values: statement.values };
    let name = this.names.get(text);
    if (name === undefined) {
      if (this.names.size >= MAX_NAMES) return { text, values: statement.values };
      name = `${label.slice(0, 40)}:${createHash('sha256').update(text).digest('base64url').slice(0, 16)}`;
      this.names.set(text, name);
    }
    return { name, text, values: statement.values };
  }
}
