import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Request } from 'express';
import { isStored, rememberSource, Replays, type ShownAgain } from '../../../kernel/http/idempotency.js';
import {
  pageWithinBytes,
  type RowsOfList,
  shownInTurn,
} from '../../../kernel/http/answers/page-within-bytes.js';
import { type Room } from '../../../kernel/database/page-bytes.js';
import { type Access, accessOf, type NodeFacts } from '../../../privacy/index.js';
import {
  factsOf,
  mayDiscover,
  nodeNotFound,
  type NodeRecord,
  slicesOfShowing,
  type WireNode,
} from '../../common/index.js';
import { isComparable } from '../infrastructure/embedding-filter.js';
import { AccessibleNodes, NodePresenter, ReplayedListedNodes } from '../../nodes/index.js';
import { type Highlight } from '../application/highlights.service.js';
import { type Correction } from '../application/search.service.js';

/** The scores of a hit beside the node itself. */
type Scores =
  { similarity_score: number } | { score: number; scores: { text: object | null; vector: object | null } };

interface HitSource {
  record: NodeRecord;
  scores: Scores;
}

/** The parts of a filter whose answer depends on how nodes are shown. */
export interface AskedOfShown {
  /** The fields that decided, as dotted paths. */
  fields: readonly string[];
  /** The tags, any of which a node had to have. */
  tagIds: readonly string[];
}

/** A hit of a stored answer. */
interface StoredHit extends HitSource {
  asked: AskedOfShown;
  /** The name of the rules by which its texts were shown. */
  shownBy: string;
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
  asked: AskedOfShown;
}

/** Found nodes as the caller is shown them, with tags, and their scores. */
@Injectable()
export class SearchHitsPresenter implements OnModuleInit {
  constructor(
    private readonly nodes: NodePresenter,
    private readonly replayed: ReplayedListedNodes,
    private readonly reached: AccessibleNodes,
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
    accesses: HitAccesses,
    { limit, offset, mark, asked }: HitsPage,
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
          const shown = this.hit(access, { ...source, asked });
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

  /** @param now the current facts, when the record is a past state */
  private hit(access: Access, source: HitSource & { asked: AskedOfShown }, now?: NodeFacts): WireNode {
    const shown = this.nodes.presentListed(access, source.record, { includeTags: true, now });
    const hit = { ...shown, ...source.scores };
    if (!isStored()) return hit;
    const shownBy = nameOfTexts(access, [factsOf(source.record)]);
    return rememberSource(hit, { shownBy, ...source }, 'search hit');
  }

  /**
   * Replays the hits that the caller may still see and find: by vectors if they may still be compared, by words if their
   * texts are shown by the same rules, or as they are, and so with the fields and tags of the filter (rule 11.6c).
   */
  private async presentAgain(caller: Access, sources: readonly StoredHit[]): Promise<(ShownAgain | null)[]> {
    const seen = await this.replayed.stillSeen(
      caller,
      sources.map(({ record }) => record),
    );
    const slices = slicesOfShowing();
    const shown: (ShownAgain | null)[] = [];
    for (const [index, source] of sources.entries()) {
      const { access, now } = seen[index] ?? {};
      if (access === undefined || now === undefined || !isStillFound(access, source, now)) {
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
  if (source.shownBy === nameOfTexts(access, states)) return true;
  return (
    passesAsStored(access, source.asked, states) && (!isByWords(source.scores) || showsTexts(access, states))
  );
}

/** True if a filter has decided about a node in these states by nothing that is hidden from the caller or shown otherwise. */
function passesAsStored(
  access: Access,
  { fields, tagIds }: AskedOfShown,
  states: readonly NodeFacts[],
): boolean {
  const { exposure } = access;
  return (
    fields.every((field) => exposure.shows(field) && !exposure.alters(field, states)) &&
    (tagIds.length === 0 ||
      (exposure.shows('tags') &&
        states[0]?.tagIds.some((id) => tagIds.includes(id) && mayDiscover(access, id)) === true))
  );
}

/** Names the rules by which the texts of a node in these states, and the names of its tags in the first, are shown. */
const nameOfTexts = (access: Access, states: readonly NodeFacts[]): string =>
  `${access.exposure.nameIn(states)} ${knownTags(access, states[0]).sort().join()}`;

const knownTags = (access: Access, facts: NodeFacts | undefined): string[] =>
  (facts?.tagIds ?? []).filter((id) => mayDiscover(access, id));

/** The texts whose words are searched and that transformations may change. */
const SEARCHED = ['title', 'value', 'metadata.properties'];

const showsTexts = (access: Access, states: readonly NodeFacts[]): boolean =>
  access.exposure.detail === 'full' &&
  states.every(
    (facts) =>
      SEARCHED.every((field) => !access.exposure.alters(field, facts)) &&
      facts.tagIds.every((id) => mayDiscover(access, id)),
  );

const isByWords = (scores: Scores): boolean => 'scores' in scores && scores.scores.text !== null;
const isByVector = (scores: Scores): boolean => 'similarity_score' in scores || scores.scores.vector !== null;
