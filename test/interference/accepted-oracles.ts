/**
 * A fact about hidden things that an answer may reveal, because a rule says so; there are no others. It is evened out
 * before two answers are compared, or never requested.
 */
export interface AcceptedOracle {
  decision: string;
  tells: string;
  /** The way in which the rig handles it. */
  here: string;
}

export const ACCEPTED_ORACLES: AcceptedOracle[] = [
  {
    decision: '2.1',
    tells: 'an app of somebody else exists, to whoever has its id and could let it in',
    here: 'ids of hidden apps are not asked for (the sweep for markers does, where an app must read as absent)',
  },
  {
    decision: '10.1',
    tells: 'the id of a living group answers an outsider 403, that of none 404',
    here: 'both worlds have the same groups; what is in them differs',
  },
  {
    decision: '9.8, 10.7h',
    tells:
      'a quota of the account that is written to, or its room for shares, is used up, hidden things included',
    here: 'no graph of the rig comes near a quota',
  },
  {
    decision: '1.2, 5.2',
    tells: 'a taken e-mail address, username or schema URI answers 409',
    here: 'those of hidden accounts and schemas are never proposed',
  },
  {
    decision: '3.11e',
    tells: 'a tag that an app may edit is named by a rule or a share of its owner, or hides something by one',
    here: 'both worlds have the same rules and shares; the nodes under them differ',
  },
  {
    decision: '3.17g',
    tells: 'a rule of others tells two types or schemas apart that an app may give a node',
    here: 'both worlds have the same rules; the nodes under them differ',
  },
  {
    decision: '3.15b',
    tells: 'a guess that an app writes equals a value that it is shown as a pseudonym',
    here: 'the app with pseudonyms writes no guesses',
  },
  {
    decision: '3.15h',
    tells:
      'a guess that an app writes over a value, in its place, equals the value that it was shown as a hash',
    here: 'the app with hashes writes guesses into other nodes only',
  },
];
