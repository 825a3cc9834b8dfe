/**
 * A conflict: others have written to a graph that a unit of work expected unchanged. Nothing of the unit was written.
 */
export class ConcurrentChange extends Error {}
