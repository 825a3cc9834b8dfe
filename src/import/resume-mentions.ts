import { tagNameKey } from '../privacy/index.js';
import type { ImportedNode } from './imported-graph.js';

export interface Mentionable {
  ref: string;
  names: string[];
}

/** Shorter names ("R", "Go") are too often ordinary words. */
const SHORTEST = 3;

/**
 * Calls `found` for every node whose text names an organisation, skill or person of the same résumé as
 * whole words.
 */
export function linkMentions(
  nodes: ImportedNode[],
  mentionables: Mentionable[],
  found: (from: string, to: string, link: { type: 'mentions'; context: string }) => void,
): void {
  const wanted = mentionables.map(({ ref, names }) => ({
    ref,
    names: names.map(tagNameKey).filter((name) => name.length >= SHORTEST),
  }));
  for (const node of nodes) {
    const text = ` ${tagNameKey(node.value ?? '')} `;
    for (const { ref, names } of wanted) {
      const name = node.ref === ref ? undefined : names.find((candidate) => hasWords(text, candidate));
      if (name !== undefined) found(node.ref, ref, { type: 'mentions', context: name });
    }
  }
}

function hasWords(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    if (!isWordPart(text[at - 1]) && !isWordPart(text[at + words.length])) return true;
  }
  return false;
}

function isWordPart(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}
