import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type Access, type IncomingShares } from '../../../privacy/index.js';
import { type NodeRecord } from '../../common/index.js';
import { FACT_COLUMNS, type NodeFilter, passing, readableNodes, receivedIn } from '../../lists/index.js';
import { type AccessibleGraphs, type AccessibleListing } from './accessible-nodes.js';
import { judgedAsStored, type MaskedNodeSearch, type ShownSource } from './masked-node-search.js';

type Filters = Pick<AccessibleListing, 'filter' | 'receivedFilter'>;

/** True if the answer to this question depends on a field that the caller is shown transformed. */
export function isJudgedAsShown(
  asShown: MaskedNodeSearch,
  { own, received }: AccessibleGraphs,
  question: Filters & Partial<Pick<AccessibleListing, 'sort'>>,
): boolean {
  return (
    asShown.needsMaskedEvaluation(own, question) ||
    received.exposures.some((exposure) =>
      asShown.needsMaskedEvaluation({ exposure }, { ...question, filter: question.receivedFilter }),
    )
  );
}

/** Own and received nodes that pass the parts of the filters that are decided on stored values. */
export function shownSources(
  { own, received }: AccessibleGraphs,
  { access, filter, receivedFilter }: Filters & Pick<AccessibleListing, 'access'>,
): ShownSource[] {
  const mine = { condition: readableNodes(own, judgedAsStored(filter)), accessTo: () => own };
  return [...(access === 'shared' ? [] : [mine]), receivedSource(received, receivedFilter)];
}

export const receivedSource = (received: IncomingShares, filter: NodeFilter): ShownSource => ({
  condition: receivedNodes(received, judgedAsStored(filter)),
  accessTo: (record: Pick<NodeRecord, 'owner_id'>): Access => received.accessTo(record.owner_id) as Access,
});

/** Living nodes that are received and pass a filter about stored values. */
function receivedNodes(received: IncomingShares, filter: NodeFilter): Sql {
  const allowed = receivedIn(received, sql.raw('n.owner_id'), FACT_COLUMNS);
  return sql`${allowed} AND ${passing(filter, 'full', allowed)}`;
}
