import { type ChangeFacts } from '../../kernel/changes/change-log.js';
import { type RecordedChange } from '../../kernel/changes/change-followers.js';
import { FieldExposure } from './exposure/field-exposure.js';
import { type GrantingShare, isInForce, shareVisibility, type ShareWorth, worthOf } from './share-worth.js';
import { sees, type Visibility } from './visibility.js';

/** Another person, app or group that reads nodes of a graph. */
export interface Onlooker {
  read: Visibility;
  exposure: FieldExposure;
  expiresAt: Date | null;
}

/**
 * The receivers of shares. One is added for all shares of equal visibility, up to the latest end of them; shares that
 * are over or show nothing add none.
 */
export function addOnlookersOfShares(
  united: Map<string, Onlooker>,
  chains: readonly (readonly GrantingShare[])[],
  { isLivingTag, now }: { isLivingTag: (tagId: string) => boolean; now: Date },
): void {
  for (const worth of chains.map(worthOf).filter((one) => isInForce(one, now))) {
    const read = shareVisibility(worth, isLivingTag);
    if (read.kind === 'none') continue;
    const name = scopesOf(worth);
    const expiresAt = latest(worth.expiresAt, united.get(name)?.expiresAt);
    united.set(name, { read, exposure: FieldExposure.full, expiresAt });
  }
}

const scopesOf = ({ chain }: ShareWorth): string =>
  JSON.stringify(chain.map(({ scope, tagIds, nodeIds }) => [scope, [...tagIds].sort(), [...nodeIds].sort()]));

/** Null is no end, undefined no time at all. */
const latest = (one: Date | null, other: Date | null | undefined): Date | null => {
  if (other === undefined) return one;
  return one === null || other === null ? null : one > other ? one : other;
};

/**
 * The ids of the nodes that any onlooker is newly shown, or shown more of, in steps: there may be a hundred nodes and
 * thousands of onlookers.
 */
export function* shownMore(
  moved: readonly MovedNode[],
  onlookers: readonly Onlooker[],
): Generator<undefined, string[]> {
  const shown: string[] = [];
  for (const node of moved) {
    for (const onlooker of onlookers) {
      yield;
      if (!isShownMore(onlooker, node)) continue;
      shown.push(node.id);
      break;
    }
  }
  return shown;
}

/** A node that was there before a unit of work, and its facts before (null if it was deleted) and after. */
interface MovedNode {
  id: string;
  from: ChangeFacts | null;
  to: ChangeFacts;
}

/**
 * The existing nodes whose facts a unit changes, each once. A node that the unit itself creates was hidden
 * from nobody before.
 */
export function movedNodes(recorded: readonly RecordedChange[]): MovedNode[] {
  const made = new Set<string>();
  const moved = new Map<string, MovedNode>();
  for (const { change } of recorded) {
    const { entity, entityId: id, action } = change;
    if (entity !== 'node') continue;
    if (action === 'created') made.add(id);
    if (change.moved === undefined || made.has(id)) continue;
    const { from } = moved.get(id) ?? change.moved;
    moved.set(id, { id, from, to: change.moved.to });
  }
  return [...moved.values()];
}

/**
 * True if the move shows the onlooker the node, or more of it than before. A deleted node was shown to no onlooker. A move
 * of a node that is deleted by it is judged as if the node stayed.
 */
function isShownMore({ read, exposure }: Onlooker, { id, from, to }: MovedNode): boolean {
  const after = { id, ...to };
  if (!sees(read, after)) return false;
  if (from === null) return true;
  const before = { id, ...from };
  return !sees(read, before) || exposure.loosens({ before, after, isKnownTag: () => true });
}
