/**
 * What an answer may tell of something its caller cannot see, because a decision says so; there are no others. Each
 * is either evened out before two answers are compared, or never asked for.
 */
export interface AcceptedOracle {
  decision: string;
  tells: string;
  /** How the rig deals with it. */
  here: string;
}

export const ACCEPTED_ORACLES: AcceptedOracle[] = [
  {
    decision: '7.7',
    tells:
      'sync numbers and versions count every change of the owner, hidden ones too; latest_change is when the newest was made',
    here: 'in answers of sync they are compared by their order only, and latest_change not at all',
  },
  {
    decision: '3.14, 4.1',
    tells: 'version and updated_at of a visible node move with fields of it that are hidden',
    here: 'hidden fields of a visible node change as often in both worlds',
  },
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
    decision: '1.2, 5.2',
    tells: 'a taken e-mail address, username or schema URI answers 409',
    here: 'those of hidden accounts and schemas are never proposed',
  },
];

/** Keys whose numbers count changes that the caller may not see (decision 7.7). */
const COUNTERS = /"(version|total_versions|last_version_seen|current_version)":(\d+)/g;

/** When the owner's newest change was made, seen or not. */
const NEWEST = /("latest_change":)"[^"]*"/g;

/** The numbers of sync by their rank in this answer, without the time of the newest change. */
export function byRank(text: string): string {
  const numbers = [...new Set([...text.matchAll(COUNTERS)].map(([, , digits]) => Number(digits)))];
  const rank = new Map(numbers.sort((a, b) => a - b).map((number, index) => [number, index]));
  return text
    .replace(NEWEST, '$1"<>"')
    .replace(COUNTERS, (_, key: string, digits: string) => `"${key}":"#${rank.get(Number(digits))}"`);
}
