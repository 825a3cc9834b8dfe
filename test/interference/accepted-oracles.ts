/**
 * A fact about hidden things that an answer may reveal, because a rule says so; there are no others. It is evened out
 * before two answers are compared, or never requested.
 */
export interface AcceptedOracle {
  rules: string;
  tells: string;
  /** The reason why it cannot be closed without giving up more. */
  because: string;
  /** The way in which the rig handles it. */
  here: string;
}

export const ACCEPTED_ORACLES: AcceptedOracle[] = [
  {
    rules: '1.2, 2.1, 5.2, 10.1',
    tells:
      'an identifier exists, to those who name it: an e-mail address, username or schema URI that is taken (409), the id of an app that could be let in, or of a living group (403 to outsiders, 404 for none)',
    because:
      'names are unique in the whole service, a registration logs in at once (ADR 26), people look an app up by its id before they let it in, and the contract has both answers for groups; ids are 122 random bits',
    here: 'names of hidden accounts and schemas are never proposed, ids of hidden apps are not requested (the sweep for markers does, where an app must read as absent), and both worlds have the same groups with other contents',
  },
  {
    rules: '9.8, 10.7h',
    tells:
      'a quota of the account that is written to, or its room for shares, is used up, hidden things included',
    because:
      'a quota that counts only what its writer is shown limits nothing; the amounts are for the owner',
    here: 'no graph of the rig comes near a quota',
  },
  {
    rules: '3.11e, 3.17g',
    tells:
      'a rule or a share of others names a tag that an app may edit, or tells two types or schemas apart that it may give a node; not which one, nor for what',
    because:
      'a write that would be let through moves nodes into the sight of others, and one that is always refused takes tags and types from all apps (ADR 45)',
    here: 'both worlds have the same rules and shares; the nodes under them differ',
  },
  {
    rules: '3.15b, 3.15h',
    tells:
      'a guess that an app writes equals a value that it is shown as a pseudonym, or the value in whose place it writes, shown as a hash',
    because:
      'a pseudonym is for telling equal values, and a hash for telling that one came back; all other masks tell neither (ADR 50)',
    here: 'the app with pseudonyms writes no guesses, and the one with hashes writes them into other nodes only',
  },
];
