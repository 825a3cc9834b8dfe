import { type Room } from '../../../kernel/database/page-bytes.js';
import { type Access } from '../../../privacy/index.js';
import { type NodeRecord } from '../../common/index.js';
import { type AccessiblePage } from '../infrastructure/accessible-nodes.js';

/** The first of these nodes that are readable, and the number of ids looked at, at least one. */
type FirstOf = (ids: readonly string[]) => Promise<{
  records: ReadonlyMap<string, NodeRecord>;
  accesses: ReadonlyMap<string, Access>;
  lookedAt: number;
}>;

/** Nodes by their ids, read as a list in the order of the ids; those that are not readable are no part of it. */
export class NodesById {
  private lookedAt = 0;
  private absent = 0;
  private readonly accesses = new Map<string, Access>();

  /** @param ids different ones */
  constructor(
    private readonly ids: readonly string[],
    private readonly firstOf: FirstOf,
  ) {}

  /** The next nodes, wherever the room begins. The total counts an id that was not looked at. */
  async read({ limit }: Room): Promise<AccessiblePage> {
    const { ids } = this;
    let found: NodeRecord[] = [];
    while (found.length === 0 && this.lookedAt < ids.length) {
      const next = ids.slice(this.lookedAt, this.lookedAt + limit);
      const { records, accesses, lookedAt } = await this.firstOf(next);
      found = next.slice(0, lookedAt).flatMap((id) => records.get(id) ?? []);
      for (const [ownerId, access] of accesses) this.accesses.set(ownerId, access);
      this.lookedAt += lookedAt;
      this.absent += lookedAt - found.length;
    }
    return { records: found, total: ids.length - this.absent, accesses: this.accesses };
  }
}
