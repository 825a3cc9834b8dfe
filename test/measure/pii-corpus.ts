import { heldOut } from './pii-held-out.js';
import { negatives } from './pii-negatives.js';
import { positives } from './pii-positives.js';

/** A stretch `[start, end)` of a text, in UTF-16 units, that is (or is said to be) one identifier. */
export interface LabelledSpan {
  start: number;
  end: number;
  entity: string;
}

export interface LabelledText {
  text: string;
  spans: LabelledSpan[];
}

/** Reads `{{entity:text}}` marks: the plain text and where the marked stretches are in it. */
function readLabels(marked: string): LabelledText {
  const spans: LabelledSpan[] = [];
  let text = '';
  let from = 0;
  for (const match of marked.matchAll(/\{\{([a-z_]+):(.*?)\}\}/gs)) {
    text += marked.slice(from, match.index);
    const start = text.length;
    text += match[2];
    spans.push({ start, end: text.length, entity: match[1]! });
    from = match.index + match[0].length;
  }
  return { text: text + marked.slice(from), spans };
}

export const labelledCorpus: readonly LabelledText[] = [...positives, ...negatives].map(readLabels);

export const heldOutCorpus: readonly LabelledText[] = heldOut.map(readLabels);
