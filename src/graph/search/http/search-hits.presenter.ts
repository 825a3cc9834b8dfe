import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Request } from 'express';
import { isStored, rememberSource, Replays, type ShownAgain } from '../../../kernel/http/idempotency.js';
import {
  pageWithinBytes,
  type RowsOfList,
  shownInTurn,
} from '../../../kernel/http/answers/page-within-bytes.js';
import { type Room } from '../../../kernel/database/page-bytes.js';
import { type Access, accessOf, type NodeFacts, sees } from '../../../privacy/index.js';
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

/** A hit of a stored answer. */
interface StoredHit extends HitSource {
  /** The name of the rules by which its texts were shown. */
  shownBy: string;
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
    this.replays.register<StoredHit>('search hit', {
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
    const hit = { ...shown, ...source.scores };
    if (!isStored()) return hit;
    const shownBy = access.exposure.nameIn([factsOf(source.record)]);
    return rememberSource(hit, { shownBy, ...source }, 'search hit');
  }

  /**
   * Replays the hits that the caller may still see and find: by vectors if they may still be compared, by words if their
   * texts are shown by the same rules, or as they are (rule 11.6c).
   */
  private async presentAgain(access: Access, sources: readonly StoredHit[]): Promise<(ShownAgain | null)[]> {
    const today = await this.replayed.now(
      access,
      sources.map(({ record }) => record),
    );
    const slices = slicesOfShowing();
    const shown: (ShownAgain | null)[] = [];
    for (const [index, source] of sources.entries()) {
      const now = today[index] ?? null;
      if (now === null || !isStillFound(access, source, now)) {
        shown.push(null);
        continue;
      }
      await this.nodes.preparePast(access, source.record, { now, slices });
      shown.push({ body: this.hit(access, source, now) });
    }
    return shown;
  }
}

function isStillFound(access: Access, source: StoredHit, now: NodeFacts): boolean {
  const states = [factsOf(source.record), now];
  if (isByVector(source.scores) && !isComparable(access, ...states)) return false;
  return (
    !isByWords(source.scores) ||
    source.shownBy === access.exposure.nameIn(states) ||
    showsTexts(access, states)
  );
}

const showsTexts = ({ exposure }: Access, states: readonly NodeFacts[]): boolean =>
  exposure.detail === 'full' && states.every((facts) => sees(exposure.unaltered('title', 'value'), facts));

const isByWords = (scores: Scores): boolean => 'scores' in scores && scores.scores.text !== null;
const isByVector = (scores: Scores): boolean => 'similarity_score' in scores || scores.scores.vector !== null;
