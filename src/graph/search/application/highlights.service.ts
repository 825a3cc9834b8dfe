import { Injectable } from '@nestjs/common';
import { rest } from '../../../kernel/slices.js';
import { snippetOf, type SnippetPart, SoughtForms, type TextWord, wordsOf } from '../domain/highlights.js';
import { type SoughtTerm } from '../domain/sought-term.js';
import { RANKED, SearchTerms } from '../infrastructure/search-terms.queries.js';

/** A snippet of a shown text with the words of the question marked. */
export interface Highlight {
  field: 'title' | 'value';
  parts: SnippetPart[];
}

const FIELDS = ['title', 'value'] as const;
/** The most words whose stems are read for one text, and for one question; of further ones the exact forms are marked. */
const READ_OF_TEXT = 500;
const READ = 5_000;
/** The most words whose matches are remembered. */
const REMEMBERED = 20_000;

/** Marks the words of questions in found nodes (rule 4.18g). */
@Injectable()
export class Highlights {
  constructor(private readonly terms: SearchTerms) {}

  /** The marker of one question. */
  of(terms: readonly SoughtTerm[]): Marker {
    return new Marker(terms.slice(0, RANKED), (text) => this.terms.stems(text));
  }
}

/** Marks the words of one question, in texts as the caller is shown them: never in stored ones. */
export class Marker {
  private readonly sought: SoughtForms;
  private readonly stems = new Map<string, readonly string[]>();
  private readonly matches = new Map<string, [number, number][]>();

  constructor(
    terms: readonly SoughtTerm[],
    private readonly read: (text: string) => Promise<ReadonlyMap<string, readonly string[]>>,
  ) {
    this.sought = new SoughtForms(terms);
  }

  async mark(shown: Readonly<Record<string, unknown>>): Promise<Highlight[]> {
    const highlights: Highlight[] = [];
    for (const field of FIELDS) {
      const text = shown[field];
      if (typeof text !== 'string') continue;
      const words = wordsOf(text);
      await rest();
      await this.learn(words);
      const parts = snippetOf(
        text,
        words.flatMap((word) => this.marksIn(word)),
      );
      if (parts.length > 0) highlights.push({ field, parts });
      await rest();
    }
    return highlights;
  }

  private marksIn(word: TextWord): [number, number][] {
    let matches = this.matches.get(word.plain);
    if (matches === undefined) {
      matches = this.sought.matchesIn(word, this.stems.get(word.plain) ?? []);
      if (this.matches.size < REMEMBERED) this.matches.set(word.plain, matches);
    }
    return matches.map(([start, end]) => [word.start + start, word.start + end]);
  }

  /** Reads the stems of the words that may match; those of others are not needed. */
  private async learn(words: readonly TextWord[]): Promise<void> {
    const unknown = new Map<string, string>();
    for (const word of words) {
      if (unknown.size === READ_OF_TEXT || this.stems.size + unknown.size >= READ) break;
      if (!this.stems.has(word.plain) && this.sought.mayMatch(word)) unknown.set(word.plain, word.written);
    }
    if (unknown.size === 0) return;
    const found = await this.read([...unknown.values()].join(' '));
    for (const plain of unknown.keys()) this.stems.set(plain, found.get(plain) ?? []);
  }
}
