/** Others have written to a graph that a unit of work expected to stand still; nothing of the unit was written. */
export class GraphMoved extends Error {}
