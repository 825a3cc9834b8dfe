const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
/** 40001 serialization_failure, 40P01 deadlock_detected (PostgreSQL, Appendix A): the same work may be retried. */
const RETRYABLE = new Set(['40001', '40P01']);
/** The messages of pg, TypeORM and the embedded database for a connection that broke or was never established. */
const LOST_CONNECTION =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|not queryable|Query runner already released|^The embedded database (stopped|is closed)/;
/**
 * Class 08 (connection), 25006 (read only: the disk is nearly full), 53 (resources), 55P03 (a lock is not available),
 * 57P01-03 (shutdown), 58030 (a sync failed), and errors of the socket.
 */
const UNAVAILABLE =
  /^(08|25006|53|55P03|57P0[123]|58030|ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EHOST|ENET)/;

const field = (error: unknown, name: string): unknown => {
  const source = error as { driverError?: Record<string, unknown> } & Record<string, unknown>;
  return source?.[name] ?? source?.driverError?.[name];
};

/**
 * True if a statement failed because a row with that unique value exists; with a name: because of that constraint or
 * index.
 */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return (
    field(error, 'code') === UNIQUE_VIOLATION &&
    (constraint === undefined || field(error, 'constraint') === constraint)
  );
}

/** True if a statement failed because other rows still refer to a row, or because the row that it refers to is gone. */
export function isForeignKeyViolation(error: unknown): boolean {
  return field(error, 'code') === FOREIGN_KEY_VIOLATION;
}

/** True if a statement would have written to the log of an owner whose account is closed (migration `portability`). */
export function isOwnerGone(error: unknown): boolean {
  return field(error, 'constraint') === 'sequences_closed';
}

/** The detail with which a statement was ended because of a quota (migration `quotas`); null for any other error. */
export function quotaViolation(error: unknown): string | null {
  return field(error, 'constraint') === 'quota_exceeded' ? String(field(error, 'detail')) : null;
}

/**
 * True if the values themselves do not fit the tables: classes 22 (data), 23 (integrity) and 54 (limits of the database:
 * too long for an index).
 */
export function isMisfit(error: unknown): boolean {
  return /^(2[23]|54)/.test(String(field(error, 'code')));
}

export function isRetryable(error: unknown): boolean {
  return RETRYABLE.has(String(field(error, 'code')));
}

/**
 * Class 08, 57 (cancelled, shut down), 25P03 (the connection ends), 40003: it is unknown, or nearly so, if anything was
 * written.
 */
const UNKNOWN_END = /^(08|57|25P03|40003)/;

/** True if the database refused a statement, so that none of it was written, and is still running. */
export function isRefused(error: unknown): boolean {
  const code = field(error, 'code');
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !UNKNOWN_END.test(code);
}

/**
 * True if a statement exceeded its time limit or was cancelled (57014): more often because of load than of the request.
 */
export function isCancelled(error: unknown): boolean {
  return field(error, 'code') === '57014';
}

/** True if the database cannot be reached or cannot take writes now: the caller may try again later (503). */
export function isUnavailable(error: unknown): boolean {
  const code = field(error, 'code');
  const message = error instanceof Error ? error.message : '';
  return (typeof code === 'string' && UNAVAILABLE.test(code)) || LOST_CONNECTION.test(message);
}
