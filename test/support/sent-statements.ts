import { type Database } from '../../src/kernel/database/database.js';

/**
 * Statements that do not depend on the requests: the logs of accesses and of use are written at intervals, and requests
 * within a short time share an answer about the counters.
 */
const BY_TIME = /^(usage-add|access-log-(owners|owners-last|busy-owners|add|count-by-hour)|sequences)$/;

/** Records the names of the statements that requests send, until `stop`. */
export function sentStatements(database: Database): { names: string[]; stop: () => void } {
  const names: string[] = [];
  const note = (name: string): void => void (BY_TIME.test(name) || names.push(name));
  const { repository } = database;
  const originals: Record<string, unknown> = { repository };
  const noting: Record<string, unknown> = {
    repository: (entity: never) => (note('repository'), repository.call(database, entity)),
  };
  for (const method of ['read', 'write', 'defer', 'readCommitted'] as const) {
    const original = database[method].bind(database) as (statement: unknown, name?: string) => unknown;
    originals[method] = database[method];
    noting[method] = (statement: unknown, given?: string) => {
      note(given ?? (statement as { name?: string }).name ?? 'unnamed');
      return original(statement, given);
    };
  }
  Object.assign(database, noting);
  return { names, stop: () => void Object.assign(database, originals) };
}
