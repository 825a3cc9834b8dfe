import { type Config, TIERS } from '../../config/config.js';
import { type Quota, QUOTAS } from '../../config/quotas.js';

/** An addition to an owner's counters that does not follow from a change; negative for a decrease. */
export type Amounts = Partial<Record<Quota, number>>;

/** An owner's counters. */
export type Used = Readonly<Record<Quota, number>>;

export const NO_COUNTERS = Object.fromEntries(QUOTAS.map((quota) => [quota, 0])) as Used;

/** An owner's row of `sequences` after a write. */
export interface Counted extends Used {
  id: string;
  is_followed: boolean;
}

/** Quotas that count existing entities, with the entity of the change log whose changes create and delete them. */
const LIVING = {
  nodes: 'node',
  relationships: 'relationship',
  tags: 'tag',
  schemas: 'schema',
  exposure_profiles: 'exposure_profile',
};
const STEP = `CASE r.action WHEN 'created' THEN 1 WHEN 'restored' THEN 1 WHEN 'deleted' THEN -1 ELSE 0 END`;

/** Rows that come into a log by the acts of others, too; those count for the one who acts (rule 9.8h). */
const MUTUAL = `r.entity IN ('share', 'follow')`;
/** The bytes that a person's act on a share counts for the row in the other person's log. */
const BYTES_ELSEWHERE = `CASE WHEN r.entity = 'share' THEN 1024 ELSE 0 END`;

const BY_CHANGES: Partial<Record<Quota, string>> = {
  ...Object.fromEntries(
    Object.entries(LIVING).map(([quota, entity]) => [
      quota,
      `coalesce(sum(${STEP}) FILTER (WHERE r.entity = '${entity}'), 0)`,
    ]),
  ),
  // A deleted tag keeps its row: nodes and rules still name it.
  all_tags: `count(*) FILTER (WHERE r.entity = 'tag' AND r.action = 'created')`,
  graph_bytes: `coalesce(sum(plain_bytes(r.snapshot) + plain_bytes(r.changed_fields) + ${BYTES_ELSEWHERE})
    FILTER (WHERE NOT ${MUTUAL} OR r.changed_by_user_id = $owner), 0)`,
};

/**
 * The additions of changes `r`, as aggregates named after the quotas; the same as in `amounts_of` of the migrations.
 * @param owner the owner of the log in SQL
 * @param amounts an array of bigint in SQL, see {@link amountsArray}
 */
export function addedBy(owner: string, amounts?: string): string {
  return QUOTAS.map((quota, index) => {
    const parts = [
      BY_CHANGES[quota]?.replaceAll('$owner', owner),
      amounts && `(${amounts})[${index + 1}]`,
    ].filter(Boolean);
    return `(${parts.join(' + ') || '0'})::bigint AS ${quota}`;
  }).join(', ');
}

/** The additions in an array, as columns named after the quotas. */
export const addedByArray = (amounts: string): string =>
  QUOTAS.map((quota, index) => `(${amounts})[${index + 1}] AS ${quota}`).join(', ');

const NOTHING = `{${QUOTAS.map(() => 0).join(',')}}`;

/** Amounts as the text of an array of bigint, in the order of the quotas. */
export const amountsArray = (amounts: Amounts | undefined): string =>
  amounts === undefined ? NOTHING : `{${QUOTAS.map((quota) => amounts[quota] ?? 0).join(',')}}`;

/** The counters' columns of `sequences`. */
export const COUNTERS = QUOTAS.join(', ');
export const countersOf = (alias: string): string => QUOTAS.map((quota) => `${alias}.${quota}`).join(', ');

/** Assignments that raise the counters of `sequences AS s` by the columns of another row. */
export const raisedBy = (added: string): string =>
  QUOTAS.map((quota) => `${quota} = s.${quota} + ${added}.${quota}`).join(', ');

/** Two expressions in SQL for one counter: its value after the write, and the addition. */
type Counter = (quota: Quota) => { counted: string; added: string };

/**
 * Conditions that compare counters with the configured limits, in the statement that raises them (rule 9.8c). Owners
 * below the lowest limit of all tiers cost a few comparisons; the tier is looked up only for the others.
 */
export class QuotaChecks {
  private readonly limits: string;
  private readonly floors: readonly (readonly [Quota, number])[];

  constructor({ quotas, defaultTier }: Pick<Config, 'quotas' | 'defaultTier'>) {
    this.limits = `'${JSON.stringify({ ...quotas, default: quotas[defaultTier] })}'::jsonb`;
    this.floors = QUOTAS.flatMap((quota) => {
      const limits = TIERS.flatMap((tier) => quotas[tier][quota] ?? []);
      return limits.length === 0 ? [] : [[quota, Math.min(...limits)] as const];
    });
  }

  /**
   * A condition that is true or fails the statement.
   * @param counted the alias of the row of `sequences` as the statement leaves it
   * @param added the alias of the additions
   * @param reserve in SQL, the part of the limit by which bytes of the graph may go beyond it; null for a write that is
   *   never refused for them
   */
  refusal(counted: string, added: string, reserve: string): string {
    const counter: Counter = (quota) => ({
      counted: `${counted}.${quota}`,
      added:
        quota === 'graph_bytes'
          ? `CASE WHEN ${reserve} IS NULL THEN 0 ELSE ${added}.${quota} END`
          : `${added}.${quota}`,
    });
    return this.ifNear(counter, `refuse_exceeded(${this.exceeded(`${counted}.id`, counter, reserve)})`);
  }

  /**
   * A condition that is true if the row `s`, before the statement, can take the additions.
   * @param added the alias of the additions
   */
  fits(added: string): string {
    const counter: Counter = (quota) => ({
      counted: `s.${quota} + ${added}.${quota}`,
      added: `${added}.${quota}`,
    });
    return this.ifNear(counter, `${this.exceeded('s.id', counter)} IS NULL`);
  }

  private ifNear(counter: Counter, then: string): string {
    if (this.floors.length === 0) return 'true';
    const near = this.floors.map(([quota, floor]) => {
      const { counted, added } = counter(quota);
      return `${counted} > ${floor} AND ${added} > 0`;
    });
    return `CASE WHEN ${near.join(' OR ')} THEN ${then} ELSE true END`;
  }

  private exceeded(owner: string, counter: Counter, reserve = '0'): string {
    const object = (part: 'counted' | 'added') =>
      `jsonb_build_object(${QUOTAS.map((quota) => `'${quota}', ${counter(quota)[part]}`).join(', ')})`;
    const within = `jsonb_build_object('reserve', ${reserve}) || ${object('counted')}`;
    return `exceeded_quota(${owner}, ${within}, ${object('added')}, ${this.limits})`;
  }
}
