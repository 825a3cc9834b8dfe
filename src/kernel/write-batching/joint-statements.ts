import type pg from 'pg';
import { type RecordedChange } from '../change-log/change.js';
import { changeRow, CHANGES_INSERT, CHANGES_RECORD, CHANGES_SELECT } from '../change-log/changes-table.js';
import { addedBy, COUNTERS, countersOf, type QuotaChecks, raisedBy } from '../change-log/quota-statements.js';
import { rest } from '../slices.js';
import { type BatchableFollowUp } from './batchable-write.js';

/** One change of an owner, or only a raised policy version. */
export interface OwnersPart {
  readonly ownerId: string;
  readonly policy: 0 | 1;
  readonly recorded: RecordedChange | null;
  /** See reserveOf. */
  readonly reserve: number | null;
  readonly following: readonly BatchableFollowUp[];
}

/** Fewer owners have a statement each: units of a few people are written as ever. */
export const LEAST_OWNERS = 16;
/** The most owners, and characters, of a statement. */
const MOST_OWNERS = 500;
const MOST_CHARACTERS = 2 * 1024 * 1024;

const GIVEN = `jsonb_to_recordset($1::jsonb) AS r (owner uuid, place integer, policy bigint, changes bigint, reserve numeric, ${CHANGES_RECORD})`;
const OF_OWNER = 'r.owner, r.place, r.policy, r.changes, r.reserve';

/** Locks and raises the counters in the order of the rows, as one statement for each owner would. */
const RAISED = `given AS MATERIALIZED (SELECT r.* FROM ${GIVEN}),
added AS MATERIALIZED (SELECT ${OF_OWNER}, ${addedBy('r.owner')} FROM given AS r GROUP BY ${OF_OWNER}),
raised AS (
  INSERT INTO sequences AS s (id, changes, policy, changed_at, ${COUNTERS})
  SELECT a.owner, a.changes, a.policy, CASE WHEN a.changes > 0 THEN $2::timestamptz END, ${countersOf('a')}
  FROM added AS a ORDER BY a.place
  ON CONFLICT (id) DO UPDATE SET changes = s.changes + EXCLUDED.changes, policy = s.policy + EXCLUDED.policy,
    changed_at = greatest(s.changed_at, EXCLUDED.changed_at), ${raisedBy('EXCLUDED')}
  RETURNING s.id, s.changes, s.changed_at, s.is_followed, ${countersOf('s')}),
counted AS (SELECT s.id AS owner_id, s.* FROM raised AS s JOIN added AS a ON a.owner = s.id WHERE a.changes > 0),
changed AS (${CHANGES_INSERT}
  SELECT counted.owner_id, counted.changes, ${CHANGES_SELECT}, counted.changed_at
  FROM counted JOIN given AS r ON r.owner = counted.owner_id)`;

/**
 * Writes the changes of many owners, one each, with a statement for some hundred of them. A unit that ends what thousands
 * receive holds the counters of all of them until it commits: a round trip for each would keep their writes waiting.
 */
export class JointStatements {
  private readonly texts = new Map<string, string>();

  constructor(private readonly checks: QuotaChecks) {}

  /** True for a part whose followers can join; those of nodes cannot. */
  canJoin({ following }: OwnersPart): boolean {
    return following.every(({ payload, shared }) => payload === null && shared !== undefined);
  }

  /** @param parts in the order in which their counters are locked */
  async of(parts: readonly OwnersPart[], at: Date): Promise<pg.QueryConfig[]> {
    return (await groupsOf(parts)).map(({ following, rows }) => {
      const [name, text] = this.statementOf(following ?? []);
      return { name, text, values: [`[${rows.join(',')}]`, at] };
    });
  }

  private statementOf(following: readonly BatchableFollowUp[]): [name: string, text: string] {
    const name = ['changes:joint', ...following.map((followUp) => followUp.name)].join(':');
    let text = this.texts.get(name);
    if (text === undefined) {
      const parts = [RAISED, ...following.map(({ shared }) => shared as string)];
      text = `WITH ${parts.join(',\n')}
SELECT c.id, c.is_followed, ${countersOf('c')}, ${this.checks.refusal('c', 'a', 'a.reserve')} AS fits
FROM counted AS c JOIN added AS a ON a.owner = c.id`;
      this.texts.set(name, text);
    }
    return [name, text];
  }
}

/** The rows of a statement, and the followers of all of its changes. */
interface Group {
  following: readonly BatchableFollowUp[] | null;
  rows: string[];
  characters: number;
}

/** Others are served between the rows. */
async function groupsOf(parts: readonly OwnersPart[]): Promise<Group[]> {
  const groups: Group[] = [];
  for (const part of parts) {
    await rest();
    const following = part.recorded === null ? null : part.following;
    let group = groups.at(-1);
    const isFull =
      group === undefined || group.rows.length === MOST_OWNERS || group.characters > MOST_CHARACTERS;
    if (group === undefined || isFull || !areAlike(group.following, following))
      groups.push((group = { following: null, rows: [], characters: 0 }));
    group.following ??= following;
    const text = rowOf(part, group.rows.length);
    group.rows.push(text);
    group.characters += text.length;
  }
  return groups;
}

function rowOf({ ownerId, policy, recorded, reserve }: OwnersPart, place: number): string {
  const change = recorded === null ? { changes: 0 } : { changes: 1, ...changeRow(recorded, 1) };
  return JSON.stringify({ owner: ownerId, place, policy, reserve, ...change });
}

const areAlike = (one: Group['following'], other: Group['following']): boolean =>
  one === null || other === null || String(one.map(nameOf)) === String(other.map(nameOf));

const nameOf = ({ name }: BatchableFollowUp): string => name;
