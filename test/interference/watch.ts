import { JsonSchemaWorkers } from '../../src/libs/json-schema/workers.js';
import { Database } from '../../src/kernel/database/database.js';
import { type DeferredWrite } from '../../src/kernel/database/transaction.js';
import { type Sql } from '../../src/kernel/database/sql.js';
import { requestContext } from '../../src/kernel/request-context.js';
import { type World } from '../support/world.js';

/** Counters, read once for all concurrent requests on behalf of the first, which is a matter of chance. */
const SHARED_READ = 'sequences';

/** The work that one world does for one request: it takes time, and could be measured by the clock. */
export class Watch {
  /** The values validated against schemas since the previous call of {@link tasks}. */
  private readonly held: string[] = [];
  private readonly statements = new Map<string, string[]>();

  constructor({ nest }: World) {
    const workers = nest.get(JsonSchemaWorkers, { strict: false });
    const run = workers.run.bind(workers);
    workers.run = (owner, task) => {
      this.held.push(JSON.stringify(task));
      return run(owner, task);
    };
    const database = nest.get(Database, { strict: false });
    for (const how of ['read', 'write', 'readCommitted'] as const) {
      const send = database[how].bind(database);
      database[how] = ((statement: Sql, name?: string) => {
        this.hear(name ?? statement.text);
        return send(statement, name);
      }) as typeof send;
    }
    const later = database.defer.bind(database);
    database.defer = (write: DeferredWrite) => {
      this.hear(write.name);
      later(write);
    };
  }

  /** The schemas and values that the workers got. */
  tasks(): string {
    return this.held.splice(0).join('\n');
  }

  /** Begins to record the statements of the request with this id. */
  listen(id: string): void {
    this.statements.clear();
    this.statements.set(id, []);
  }

  /** The statements so far, by name or text, in no order: some are sent concurrently. */
  of(id: string): string {
    return [...(this.statements.get(id) ?? [])].sort().join('\n');
  }

  private hear(statement: string): void {
    if (statement === SHARED_READ) return;
    this.statements.get(requestContext.current().requestId)?.push(statement);
  }
}
