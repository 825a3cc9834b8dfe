import { type Resident } from './resident.js';

/** An action of a resident: one request, or a few that belong together. */
export type Deed = (who: Resident) => Promise<unknown>;
export type Weighed = readonly [weight: number, deed: Deed];

/** Does it with one of these ids, if there is any. */
export const withOne =
  (
    listOf: (who: Resident) => readonly string[],
    deed: (who: Resident, id: string) => Promise<unknown>,
  ): Deed =>
  async (who) => {
    const id = who.one(listOf(who));
    if (id !== null) await deed(who, id);
  };
export const nodesOf = (who: Resident): string[] => who.nodes;
export const tagsOf = (who: Resident): string[] => who.tags;
