import { Injectable } from '@nestjs/common';
import {
  beginningsOf,
  matchesIn,
  snippetOf,
  type SnippetPart,
  type TextWord,
  wordsOf,
} from '../domain/highlights.js';
import { type SoughtTerm } from '../domain/sought-term.js';
import { SearchTerms } from '../infrastructure/search-terms.queries.js';

/** A snippet of a shown text with the words of the question marked. */
export interface Highlight {
  field: 'title' | 'value';
  parts: SnippetPart[];
}

const FIELDS = ['title', 'value'] as const;
/** The most words whose stems are read for one text, and for one question; of further ones the exact forms are marked. */
const READ_OF_TEXT = 500;
const READ = 5_000;

/** Marks the words of questions in found nodes (rule 4.18g). */
@Injectable()
export class Highlights {
  constructor(private readonly terms: SearchTerms) {}

  /** The marker of one question. */
  of(terms: readonly SoughtTerm[]): Marker {
    return new Marker(terms, (text) => this.terms.stems(text));
  }
}

/** Marks the words of one question, in texts as the caller is shown them: never in stored ones. */
export class Marker {
  private readonly beginnings: ReadonlySet<string>;
  private readonly stems = new Map<string, readonly string[]>();

  constructor(
    private readonly sought: readonly SoughtTerm[],
    private readonly read: (text: string) => Promise<ReadonlyMap<string, readonly string[]>>,
  ) {
    this.beginnings = beginningsOf(sought);
  }

  async mark(shown: Readonly<Record<string, unknown>>): Promise<Highlight[]> {
    const texts = FIELDS.map((field) => {
      const text = shown[field];
      return { field, text: typeof text === 'string' ? text : '' };
    });
    const words = texts.map(({ text }) => wordsOf(text));
    await this.learn(words.flat());
    return texts.flatMap(({ field, text }, index) => {
      const marks = (words[index] as TextWord[]).flatMap((word) => this.matches(word));
      const parts = snippetOf(text, marks);
      return parts.length === 0 ? [] : [{ field, parts }];
    });
  }

  private matches(word: TextWord): [number, number][] {
    return matchesIn(word, this.sought, this.stems.get(word.plain) ?? []);
  }

  /** Reads the stems of the words that may match; those of others are not needed. */
  private async learn(words: readonly TextWord[]): Promise<void> {
    const unknown = new Set<string>();
    for (const { plain } of words) {
      const beginning = [...plain.slice(0, 4)].slice(0, 2).join('');
      if (!this.stems.has(plain) && this.beginnings.has(beginning)) unknown.add(plain);
      if (unknown.size === READ_OF_TEXT || this.stems.size + unknown.size >= READ) break;
    }
    if (unknown.size === 0) return;
    const found = await this.read([...unknown].join(' '));
    for (const plain of unknown) this.stems.set(plain, found.get(plain) ?? []);
  }
}
