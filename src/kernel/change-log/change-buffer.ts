import { type Actor } from '../request-context.js';
import { type Change, type RecordedChange } from './change.js';
import { type Amounts } from './quota-statements.js';

/** The state in which a unit that read the graph without a lock must find it when it is written. */
export interface ExpectedCounter {
  readonly ownerId: string;
  /** The expected value of the owner's change counter. */
  readonly changes: number;
  /** Name of the advisory lock of writers that read under a lock: they do not move the counter before they write. */
  readonly lock: string;
}

/** The changes of one unit of work, by the owner whose counter numbers them. */
export interface ChangeBuffer {
  readonly owners: Map<string, RecordedChange[]>;
  readonly policies: Set<string>;
  /** Additions to owners' counters that do not follow from the changes. */
  readonly amounts: Map<string, Amounts>;
  readonly expected: ExpectedCounter | null;
  add(change: Change, actor: Actor): void;
  bumpPolicyVersion(id: string): void;
  count(ownerId: string, added: Amounts): void;
  requireUnchanged(expected: ExpectedCounter): void;
  /** Returns a function that removes everything added after this moment. */
  mark(): () => void;
}

export function newBuffer(): ChangeBuffer {
  const owners = new Map<string, RecordedChange[]>();
  const policies = new Set<string>();
  const amounts = new Map<string, Amounts>();
  let expected: ExpectedCounter | null = null;
  return {
    owners,
    policies,
    amounts,
    get expected() {
      return expected;
    },
    requireUnchanged(counter) {
      expected = counter;
    },
    add(change, actor) {
      const list = owners.get(change.ownerId);
      if (list) list.push({ change, actor });
      else owners.set(change.ownerId, [{ change, actor }]);
    },
    bumpPolicyVersion: (id) => void policies.add(id),
    count: (ownerId, added) => void amounts.set(ownerId, sumOf(amounts.get(ownerId) ?? {}, added)),
    mark() {
      const before = expected;
      const lengths = new Map([...owners].map(([id, list]) => [id, list.length]));
      const bumped = new Set(policies);
      const counted = new Map(amounts);
      return () => {
        expected = before;
        for (const [id, list] of owners) list.length = lengths.get(id) ?? 0;
        for (const [id, list] of owners) if (list.length === 0) owners.delete(id);
        for (const id of policies) if (!bumped.has(id)) policies.delete(id);
        amounts.clear();
        for (const [id, sum] of counted) amounts.set(id, sum);
      };
    },
  };
}

function sumOf(sum: Amounts, more: Amounts): Amounts {
  const quotas = Object.keys({ ...sum, ...more }) as (keyof Amounts)[];
  return Object.fromEntries(quotas.map((quota) => [quota, (sum[quota] ?? 0) + (more[quota] ?? 0)]));
}
