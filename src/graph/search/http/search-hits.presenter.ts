import { Injectable } from '@nestjs/common';
import {
  pageWithinBytes,
  type RowsOfList,
  shownInTurn,
} from '../../../kernel/http/answers/page-within-bytes.js';
import { type Room } from '../../../kernel/database/page-bytes.js';
import { type Access } from '../../../privacy/index.js';
import { type NodeRecord, slicesOfShowing, type WireNode } from '../../common/index.js';
import { AccessibleNodes, NodePresenter } from '../../nodes/index.js';
import { type Highlight } from '../application/highlights.service.js';

/** The scores of a hit beside the node itself. */
type Scores =
  { similarity_score: number } | { score: number; scores: { text: object | null; vector: object | null } };

interface HitSource {
  record: NodeRecord;
  scores: Scores;
}

/** The accesses by which hits are shown: one to the own graph, and one to each sharer's. */
interface HitAccesses {
  own: Access;
  accessTo: (record: NodeRecord) => Access;
}

/** A part of the hits of a search. */
interface HitsPage {
  limit: number;
  offset: number;
  /** Marks the words of the question in what is shown; absent: nothing is marked. */
  mark?: ((shown: WireNode) => Promise<Highlight[]>) | undefined;
}

/** Found nodes as the caller is shown them, with tags, and their scores. */
@Injectable()
export class SearchHitsPresenter {
  constructor(
    private readonly nodes: NodePresenter,
    private readonly reached: AccessibleNodes,
  ) {}

  /** The hits of a page, as many as fit. */
  async page(
    accesses: HitAccesses,
    { limit, offset, mark }: HitsPage,
    read: (room: Room) => Promise<RowsOfList<HitSource>>,
  ): Promise<{ nodes: WireNode[]; total: number; limit: number }> {
    const slices = slicesOfShowing();
    const page = await pageWithinBytes<HitSource, WireNode>({
      limit,
      offset,
      read,
      show: async (hits) => {
        const records = hits.map(({ record }) => record);
        const accessTo = await this.knowing(accesses, records);
        await this.nodes.stampAll(records, accessTo, slices);
        return shownInTurn(hits, async (source) => {
          const access = accessTo(source.record);
          await this.nodes.prepare(access, [source.record], slices);
          const listed = this.nodes.presentListed(access, source.record, { includeTags: true });
          const shown = { ...listed, ...source.scores };
          if (mark) Object.assign(shown, { highlights: await mark(shown) });
          return shown;
        });
      },
      // Received nodes are shown by the same profile, or whole to a person.
      isWhole: () => accesses.own.exposure.isIdentity,
      slices,
    });
    return { nodes: page.items, total: page.total, limit: page.limit };
  }

  /** The accesses with the names of the tags of received nodes. */
  private async knowing(
    { own, accessTo }: HitAccesses,
    records: readonly NodeRecord[],
  ): Promise<(record: NodeRecord) => Access> {
    const received = records.filter(({ owner_id }) => owner_id !== own.ownerId);
    if (received.length === 0) return () => own;
    const accesses = new Map(received.map((record) => [record.owner_id, accessTo(record)]));
    const named = await this.reached.namingTags(accesses, received);
    return ({ owner_id }) => named.get(owner_id) ?? own;
  }
}
