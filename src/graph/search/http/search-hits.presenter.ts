import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Request } from 'express';
import { rememberSource, Replays, type ShownAgain } from '../../../kernel/http/idempotency.js';
import {
  pageWithinBytes,
  type RowsOfList,
  shownInTurn,
} from '../../../kernel/http/answers/page-within-bytes.js';
import { type Room } from '../../../kernel/database/page-bytes.js';
import { type Access, accessOf, type NodeFacts } from '../../../privacy/index.js';
import {
  factsOf,
  nodeNotFound,
  type NodeRecord,
  slicesOfShowing,
  type WireNode,
} from '../../common/index.js';
import { isComparable } from '../infrastructure/embedding-filter.js';
import { NodePresenter, ReplayedNodes } from '../../nodes/index.js';
import { type Highlight } from '../application/highlights.service.js';
import { type Correction } from '../application/search.service.js';

/** The scores of a hit beside the node itself. */
type Scores =
  { similarity_score: number } | { score: number; scores: { text: object | null; vector: object | null } };

interface HitSource {
  record: NodeRecord;
  scores: Scores;
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
export class SearchHitsPresenter implements OnModuleInit {
  constructor(
    private readonly nodes: NodePresenter,
    private readonly replayed: ReplayedNodes,
    private readonly replays: Replays,
  ) {}

  onModuleInit(): void {
    this.replays.register<HitSource>('search hit', {
      present: (request, sources) => this.presentAgain(accessOf(request as Request), sources),
      absent: nodeNotFound,
    });
    // They are words of nodes that may be hidden since.
    this.replays.register<object>('search correction', {
      present: (_, sources) => Promise.resolve(sources.map(() => null)),
      absent: nodeNotFound,
    });
  }

  corrections(corrections: readonly Correction[]): Correction[] {
    return corrections.map((correction) => rememberSource({ ...correction }, {}, 'search correction'));
  }

  /** The hits of a page, as many as fit. */
  async page(
    access: Access,
    { limit, offset, mark }: HitsPage,
    read: (room: Room) => Promise<RowsOfList<HitSource>>,
  ): Promise<{ nodes: WireNode[]; total: number; limit: number }> {
    const slices = slicesOfShowing();
    const page = await pageWithinBytes<HitSource, WireNode>({
      limit,
      offset,
      read,
      show: async (hits) => {
        await this.nodes.stamp(
          access,
          hits.map(({ record }) => record),
          slices,
        );
        return shownInTurn(hits, async (source) => {
          await this.nodes.prepare(access, [source.record], slices);
          const shown = this.hit(access, source);
          if (mark) Object.assign(shown, { highlights: await mark(shown) });
          return shown;
        });
      },
      isWhole: () => access.exposure.isIdentity,
      slices,
    });
    return { nodes: page.items, total: page.total, limit: page.limit };
  }

  /** @param now the current facts, when the record is a past state */
  private hit(access: Access, source: HitSource, now?: NodeFacts): WireNode {
    const shown = this.nodes.presentListed(access, source.record, { includeTags: true, now });
    return rememberSource({ ...shown, ...source.scores }, source, 'search hit');
  }

  /** Replays the hits that the caller may still see; those by vectors only if they may still be compared (rules 11). */
  private async presentAgain(access: Access, sources: readonly HitSource[]): Promise<(ShownAgain | null)[]> {
    const today = await this.replayed.now(
      access,
      sources.map(({ record }) => record),
    );
    const slices = slicesOfShowing();
    const shown: (ShownAgain | null)[] = [];
    for (const [index, source] of sources.entries()) {
      const now = today[index] ?? null;
      if (now === null || (isByVector(source.scores) && !isComparable(access, factsOf(source.record), now))) {
        shown.push(null);
        continue;
      }
      await this.nodes.preparePast(access, source.record, { now, slices });
      shown.push({ body: this.hit(access, source, now) });
    }
    return shown;
  }
}

const isByVector = (scores: Scores): boolean => 'similarity_score' in scores || scores.scores.vector !== null;
