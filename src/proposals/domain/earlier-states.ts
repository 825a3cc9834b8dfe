import { factsOf, type NodeRecord } from '../../graph/index.js';
import { type Access, type NodeFacts, RAW_FILE_SCHEMA_ID, sees } from '../../privacy/index.js';

/** The access of an app now, and once a proposal is applied. */
interface AccessTwice {
  access: Access;
  then: Access;
}

/** A node now, and the node behind which the proposal leaves its past. */
interface NodeTwice {
  before: NodeRecord;
  after: NodeRecord;
}

/**
 * True if an app could read more of some earlier state than now: states are hidden by what concerns them then or now
 * (rule 3.20), and the proposal takes away what concerns the node now, or puts a mask ahead of another one, which then
 * meets other texts. Their contents are not compared.
 */
export function opensEarlier(
  { access, then }: AccessTwice,
  { before, after }: NodeTwice,
  states: readonly NodeFacts[],
): boolean {
  const [now, later] = [factsOf(before), factsOf(after)];
  const readable = states.filter((state) => sees(then.nodes.read, state));
  if (!sees(access.nodes.read, now)) return readable.length > 0;
  const { exposure } = then;
  const isNamed = (one: NodeFacts) => exposure.transforms('title') && one.schemaId === RAW_FILE_SCHEMA_ID;
  const losesName = isNamed(now) && !isNamed(later);
  return readable.some(
    (state) => (losesName && !isNamed(state)) || exposure.lifts([now, state], [later, state]),
  );
}
