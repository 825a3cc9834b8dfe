/** The scope of a right over all that an owner has, now and later. */
export const EVERYTHING = 'everything';

/** A right of another person, an app or an address to see or change something. */
export interface Right {
  /** A verb, or another word that distinguishes kinds of rights. */
  kind: string;
  /** The scope: an id, or {@link EVERYTHING}. */
  over: string;
  /** True for a single thing that the caller named by its id. */
  isSingle?: boolean;
}

/** The rights that a record gives others; a record that does not exist, or is not in force, gives none. */
export interface OthersRights {
  rights: readonly Right[];
  /** Restrictions of all these rights; removing one shows others more. */
  limits?: readonly string[];
  /** Their end; absent and null mean no end. */
  until?: Date | null;
}

export const NO_RIGHTS: OthersRights = { rights: [] };

export interface AddedRights {
  /** True if others gain more than single things that were named. */
  isWide: boolean;
  /** The number of single things. */
  singles: number;
}

/**
 * Called under the lock of a write with the record's rights before and after it; throws to refuse the write.
 */
export type ConfirmRights = (before: OthersRights, after: OthersRights) => Promise<void>;

/** Confirms everything: for endpoints that have already required a recent proof of identity. */
export const CONFIRMED: ConfirmRights = () => Promise.resolve();

/**
 * The rights that others have after a write and did not have before (rule 1.16). A later end counts as adding
 * all of them again; a write that narrows or ends rights adds none.
 */
export function addedRights(before: OthersRights, after: OthersRights): AddedRights {
  const isLoosened = endOf(after) > endOf(before) || lostLimits(before, after);
  const added = after.rights.filter(
    (right) => isLoosened || !before.rights.some((one) => covers(one, right)),
  );
  return {
    isWide: added.some(({ isSingle }) => !isSingle),
    singles: new Set(added.filter(({ isSingle }) => isSingle).map(({ over }) => over)).size,
  };
}

const endOf = ({ until }: OthersRights): number => until?.getTime() ?? Infinity;

const lostLimits = ({ limits = [] }: OthersRights, after: OthersRights): boolean =>
  limits.some((limit) => !after.limits?.includes(limit));

const covers = (held: Right, { kind, over }: Right): boolean =>
  held.kind === kind && (held.over === EVERYTHING || held.over === over);
