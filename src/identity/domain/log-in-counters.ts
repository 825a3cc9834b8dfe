/** The number of counters that all names without an account or credential share. */
const SHARED_COUNTERS = 65_536;

/** The name of the counter of failures of something that does not exist, by a digest that no caller can compute. */
export const sharedCounter = (digest: string): string =>
  `nobody ${Buffer.from(digest, 'base64url').readUInt32BE() % SHARED_COUNTERS}`;
