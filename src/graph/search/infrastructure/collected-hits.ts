import { mapInSlices } from '../../../kernel/slices.js';

/** The first hits among received nodes that several statements have found, and the number of all of them. */
export interface Collected {
  hits: readonly { owner_id: string; id: string }[];
  total: number;
}

/** The memory that a hit takes. */
export const HIT_BYTES = 300;

/** Hits as an argument of a statement. They can be those of a whole graph: other requests are served in between. */
export async function jsonOf(hits: readonly object[]): Promise<string> {
  const texts = await mapInSlices(hits, (hit) => JSON.stringify(hit));
  return `[${texts.join()}]`;
}
