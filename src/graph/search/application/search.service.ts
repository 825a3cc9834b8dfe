import { Injectable } from '@nestjs/common';
import { type Room } from '../../../kernel/database/page-bytes.js';
import { rest } from '../../../kernel/slices.js';
import { FoundPlaces } from '../../lists/index.js';
import { beginningOf, canBeMisspelt, lengthsOf, neighboursOf } from '../domain/neighbours.js';
import { type SoughtTerm } from '../domain/sought-term.js';
import { type SearchedGraphs } from '../infrastructure/searched-graphs.js';
import { NearWordsQueries } from '../infrastructure/near-words.queries.js';
import { RANKED, SearchTerms, type WordsQuestion } from '../infrastructure/search-terms.queries.js';
import { type HitPlace, Search, type SearchHits } from '../infrastructure/search.queries.js';
import { SoughtWords } from '../infrastructure/sought-words.js';
import { type VectorQuestion } from '../infrastructure/vector-search.queries.js';

/** A question of a caller; at least one of the halves is present. */
export interface Question {
  words?: WordsQuestion | undefined;
  vector?: VectorQuestion | undefined;
}

/** A word of the question that no node has, and the words that were sought in its place, each by its stem. */
export interface Correction {
  word: string;
  sought: readonly string[];
}

/** The words of a question once it is decided which of them are misspelt; null without any. */
interface Decided {
  words: SoughtWords | null;
  corrections: readonly Correction[];
}

/** The most words of a question that are taken for misspelt. */
const MOST_CORRECTED = 8;
const FIRST_ONE: Room = { limit: 1, offset: 0 };

/** Answers questions: words that no readable node has are sought as the words that they may mean (rule 4.18e). */
@Injectable()
export class SearchService {
  constructor(
    private readonly searching: Search,
    private readonly terms: SearchTerms,
    private readonly nearWords: NearWordsQueries,
  ) {}

  /** A search whose pages have the same words, however many parts a page is read in. */
  of(graphs: SearchedGraphs, question: Question): PagedSearch {
    return new PagedSearch({
      decide: (room) => this.first(graphs, question, room),
      read: (places) => this.searching.part(graphs, places),
    });
  }

  /** The first part, and what it has decided about the words. */
  private async first(
    graphs: SearchedGraphs,
    { words, vector }: Question,
    room: Room,
  ): Promise<{ decided: Decided; hits: SearchHits }> {
    // At detail minimal no text is shown, and none is searched (rule 3.14).
    const hasWords = words !== undefined && graphs.own.exposure.detail !== 'minimal';
    const sought = hasWords ? await this.terms.of(words) : null;
    const hits = await this.searching.search(graphs, { words: sought ?? undefined, vector }, room);
    if (sought === null) return { decided: { words: null, corrections: [] }, hits };
    const corrections = await this.corrections(graphs, sought, hits.bits);
    if (corrections.length === 0) return { decided: { words: sought, corrections }, hits };
    const corrected = sought.with(new Map(corrections.map(({ word, sought: forms }) => [word, forms])));
    return {
      decided: { words: corrected, corrections },
      hits: await this.searching.search(graphs, { words: corrected, vector }, room),
    };
  }

  /** @param bits the words that any found node has */
  private async corrections(
    graphs: SearchedGraphs,
    sought: SoughtWords,
    bits: bigint,
  ): Promise<Correction[]> {
    const missing = (await this.missing(graphs, sought, bits)).slice(0, MOST_CORRECTED);
    if (missing.length === 0) return [];
    const like = { beginnings: [...new Set(missing.map(beginningOf))], lengths: lengthsOf(missing) };
    const words = await this.nearWords.like(graphs, like);
    const corrections: Correction[] = [];
    for (const term of missing) {
      await rest();
      const forms = neighboursOf(term, words);
      if (forms.length > 0) corrections.push({ word: term.word, sought: forms });
    }
    return corrections;
  }

  /** The words that no readable node has and that may be misspelt. */
  private async missing(
    graphs: SearchedGraphs,
    { terms, match }: SoughtWords,
    found: bigint,
  ): Promise<SoughtTerm[]> {
    if (!terms.some(canBeMisspelt)) return [];
    let bits = found;
    // If no node has all of the words, there may be nodes with each of them.
    if (match === 'all' && terms.length > 1 && bits === 0n) {
      const words = new SoughtWords(terms.slice(0, RANKED), 'any');
      ({ bits } = await this.searching.search(graphs, { words }, FIRST_ONE));
    }
    const has = (place: number): boolean => place >= RANKED || ((bits >> BigInt(place)) & 1n) === 1n;
    return terms.filter((term, place) => canBeMisspelt(term) && !has(place));
  }
}

type PartOfHits = Pick<SearchHits, 'hits' | 'total'>;

/**
 * One search in one or more parts. All hits of the page are found with its first part; the further ones only read records,
 * in their order: to find them takes the time of the whole graph.
 */
class PagedSearch {
  private decided: Decided | null = null;
  private readonly places = new FoundPlaces<HitPlace>();

  constructor(
    private readonly parts: {
      decide: (room: Room) => Promise<{ decided: Decided; hits: SearchHits }>;
      read: (places: readonly HitPlace[]) => Promise<SearchHits['hits']>;
    },
  ) {}

  /** The words that are sought, after the first part. */
  get words(): SoughtWords | null {
    return this.decided?.words ?? null;
  }

  get corrections(): readonly Correction[] {
    return this.decided?.corrections ?? [];
  }

  /** The next hits, the first of them behind the offset of the first room; large ones may not fill the room. */
  async read(room: Room): Promise<PartOfHits> {
    if (this.decided === null) {
      const { decided, hits } = await this.parts.decide(room);
      this.decided = decided;
      this.places.keep(hits.rest, hits.total);
      return hits;
    }
    const { rows: hits, total } = await this.places.next(room.limit, async (places) => {
      const rows = await this.parts.read(places);
      const last = rows.at(-1);
      return {
        rows,
        lookedAt:
          last === undefined
            ? places.length
            : places.findIndex(({ id, ownerId }) => id === last.id && ownerId === last.ownerId) + 1,
      };
    });
    return { hits, total };
  }
}
