/** Time limits of statements: for a request's read, and for writes, exports and background work. */
export const READ_MS = 5_000;
export const LONG_MS = 60_000;

/** Begins a transaction whose statements may take longer than a request's read; in one message. */
export const BEGIN_LONG = `BEGIN; SET LOCAL statement_timeout = ${LONG_MS}`;
