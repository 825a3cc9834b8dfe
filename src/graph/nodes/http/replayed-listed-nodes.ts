import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Request } from 'express';
import { Replays, type ShownAgain } from '../../../kernel/http/idempotency.js';
import { type Access, accessOf, type NodeFacts, sees, SharedAccesses } from '../../../privacy/index.js';
import { factsOf, nodeNotFound, type NodeRecord, slicesOfShowing } from '../../common/index.js';
import { NodeTagNames } from '../../tags/index.js';
import { AccessibleNodes } from '../infrastructure/accessible-nodes.queries.js';
import { NodePresenter } from './node.presenter.js';
import { ReplayedNodes } from './replayed-nodes.js';

/** The kind of own and received nodes in the stored answer to a POST that lists them. */
export const LISTED_NODE = 'listed node';

/** A node that the caller may still see, with the access that decides on it, and its current facts. */
export interface StillSeen {
  access: Access;
  now: NodeFacts;
}

/** Presents stored lists again: each node that is readable now, and was readable then by the current rules. */
@Injectable()
export class ReplayedListedNodes implements OnModuleInit {
  constructor(
    private readonly presenter: NodePresenter,
    private readonly replayed: ReplayedNodes,
    private readonly reached: AccessibleNodes,
    private readonly received: SharedAccesses,
    private readonly tagNames: NodeTagNames,
    private readonly replays: Replays,
  ) {}

  onModuleInit(): void {
    this.replays.register<NodeRecord>(LISTED_NODE, {
      present: (request, records) => this.again(accessOf(request as Request), records),
      absent: nodeNotFound,
    });
  }

  /** The nodes that the caller may still see; null in place of each other one. */
  async stillSeen(caller: Access, records: readonly NodeRecord[]): Promise<(StillSeen | null)[]> {
    const own = await this.replayed.now(caller, records);
    const others = await this.receivedNow(
      caller,
      records.filter(({ owner_id }) => owner_id !== caller.ownerId),
    );
    return records.map((record, index) => {
      const facts = own[index] ?? null;
      return facts === null ? (others.get(record) ?? null) : { access: caller, now: facts };
    });
  }

  private async again(caller: Access, records: readonly NodeRecord[]): Promise<(ShownAgain | null)[]> {
    const seen = await this.stillSeen(caller, records);
    const slices = slicesOfShowing();
    const shown: (ShownAgain | null)[] = [];
    for (const [index, record] of records.entries()) {
      const still = seen[index] ?? null;
      if (still === null) {
        shown.push(null);
        continue;
      }
      const { access, now } = still;
      await this.presenter.preparePast(access, record, { now, slices });
      shown.push({ body: this.presenter.presentListed(access, record, { includeTags: true, now }) });
    }
    return shown;
  }

  private async receivedNow(
    caller: Access,
    records: readonly NodeRecord[],
  ): Promise<Map<NodeRecord, StillSeen>> {
    if (records.length === 0) return new Map();
    const received = await this.received.of(caller);
    const today = await this.reached.facts(
      caller,
      records.map(({ id }) => id),
    );
    const accesses = records.flatMap(({ owner_id }) => {
      const access = received.accessTo(owner_id);
      return access ? [[owner_id, access] as const] : [];
    });
    const knowing = await this.tagNames.knowingAll(new Map(accesses), records);
    return new Map(
      records.flatMap((record) => {
        const access = knowing.get(record.owner_id);
        const now = today.get(record.id);
        if (access === undefined || now?.ownerId !== record.owner_id) return [];
        return sees(access.nodes.read, factsOf(record)) ? [[record, { access, now }] as const] : [];
      }),
    );
  }
}
