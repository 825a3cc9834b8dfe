/**
 * The database cannot be queried now, but perhaps later. Has the error code of a server that accepts no connections at
 * the moment.
 */
export class DatabaseUnavailable extends Error {
  readonly code = '57P03';

  static stopped(cause: unknown): DatabaseUnavailable {
    return new DatabaseUnavailable('The embedded database stopped and has to recover', { cause });
  }

  static closed(): DatabaseUnavailable {
    return new DatabaseUnavailable('The embedded database is closed');
  }
}
