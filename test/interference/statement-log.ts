import { Database } from '../../src/kernel/database/database.js';
import { requestContext } from '../../src/kernel/request-context.js';
import { type Sql } from '../../src/kernel/database/sql.js';
import { type Client } from '../support/client.js';
import { type World } from '../support/world.js';

/** The statements that the database gets for one request, by their names. */
export class StatementLog {
  private readonly heard = new Map<string, string[]>();
  private count = 0;

  constructor({ nest }: World) {
    const database = nest.get(Database, { strict: false });
    for (const how of ['read', 'write'] as const) {
      const send = database[how].bind(database);
      database[how] = ((statement: Sql, name?: string) => {
        this.heard.get(requestContext.current().requestId)?.push(name ?? 'without a name');
        return send(statement, name);
      }) as typeof send;
    }
  }

  async of(client: Client, { method, path, body }: { method: string; path: string; body: unknown }) {
    const id = `looked-at-${++this.count}`;
    const statements: string[] = [];
    this.heard.set(id, statements);
    const begun = performance.now();
    const { status } = await client.send(method, path, body, { headers: { 'X-Request-Id': id } });
    // Held to the end of a bucket of time (ADR 19).
    if (status === 404) expect(performance.now() - begun).toBeGreaterThanOrEqual(10);
    return `${status} ${statements.join(', ')}`;
  }
}
