import { Injectable } from '@nestjs/common';
import { type Room } from '../../../kernel/database/page-bytes.js';
import { type Access } from '../../../privacy/index.js';
import { beginningOf, canBeMisspelt, neighboursOf } from '../domain/neighbours.js';
import { type SoughtTerm } from '../domain/sought-term.js';
import { type SearchFilter } from '../infrastructure/search-filter.js';
import { RANKED, SearchTerms, type WordsQuestion } from '../infrastructure/search-terms.queries.js';
import { Search, type SearchHits } from '../infrastructure/search.queries.js';
import { SoughtWords } from '../infrastructure/sought-words.js';
import { type VectorQuestion } from '../infrastructure/vector-search.queries.js';
import { WordHitsQueries } from '../infrastructure/word-hits.queries.js';

/** A question of a caller; at least one of the halves is present. */
export interface Question {
  words?: WordsQuestion | undefined;
  vector?: VectorQuestion | undefined;
  filter: SearchFilter;
}

/** A word of the question that no node has, and the words that were sought in its place. */
export interface Correction {
  word: string;
  sought: readonly string[];
}

interface Answer extends SearchHits {
  /** The words that were sought; null without any. */
  sought: SoughtWords | null;
  corrections: Correction[];
}

interface Asked {
  sought: SoughtWords;
  vector: VectorQuestion | undefined;
  filter: SearchFilter;
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
    private readonly wordHits: WordHitsQueries,
  ) {}

  /** The first of the hits after the room's offset; large ones may not fill the page. */
  async search(access: Access, { words, vector, filter }: Question, room: Room): Promise<Answer> {
    // At detail minimal no text is shown, and none is searched (rule 3.14).
    const hasWords = words !== undefined && access.exposure.detail !== 'minimal';
    const sought = hasWords ? await this.terms.of(words) : null;
    const found = await this.searching.search(access, { words: sought ?? undefined, vector, filter }, room);
    if (sought === null) return { ...found, sought, corrections: [] };
    const asked = { sought, vector, filter };
    const corrections = await this.corrections(access, asked, { found, room });
    if (corrections.length === 0) return { ...found, sought, corrections };
    const corrected = sought.with(new Map(corrections.map(({ word, sought: forms }) => [word, forms])));
    const again = await this.searching.search(access, { words: corrected, vector, filter }, room);
    return { ...again, sought: corrected, corrections };
  }

  private async corrections(
    access: Access,
    asked: Asked,
    first: { found: SearchHits; room: Room },
  ): Promise<Correction[]> {
    const missing = (await this.missing(access, asked, first)).slice(0, MOST_CORRECTED);
    if (missing.length === 0) return [];
    const beginnings = [...new Set(missing.map(beginningOf))];
    const words = await this.wordHits.wordsFrom(access, { beginnings, filter: asked.filter });
    return missing
      .map((term) => ({ word: term.word, sought: neighboursOf(term, words) }))
      .filter(({ sought }) => sought.length > 0);
  }

  /** The words that no readable node has and that may be misspelt. */
  private async missing(
    access: Access,
    { sought, filter }: Asked,
    { found, room }: { found: SearchHits; room: Room },
  ): Promise<SoughtTerm[]> {
    const { terms, match } = sought;
    if (!terms.some(canBeMisspelt)) return [];
    let { bits } = found;
    // An empty page behind the last hit does not say what the hits are, nor does one of nodes that lack only some words.
    const isUnknown = found.hits.length === 0 && (room.offset > 0 || (match === 'all' && terms.length > 1));
    if (isUnknown) {
      const any = new SoughtWords(terms.slice(0, RANKED), 'any');
      const all = await this.searching.search(access, { words: sought, filter }, FIRST_ONE);
      if (all.total > 0) ({ bits } = all);
      else ({ bits } = await this.searching.search(access, { words: any, filter }, FIRST_ONE));
    }
    const has = (place: number): boolean => place >= RANKED || ((bits >> BigInt(place)) & 1n) === 1n;
    return terms.filter((term, place) => canBeMisspelt(term) && !has(place));
  }
}
