import type { LabelledSpan, LabelledText } from './pii-corpus.js';

export interface Score {
  /** marked identifiers */
  marked: number;
  /** marked identifiers that one finding of the same entity covers whole */
  found: number;
  /** findings */
  findings: number;
  /** findings that touch a marked identifier of the same entity */
  right: number;
  recall: number;
  precision: number;
}

export interface Scoring {
  scores: Map<string, Score>;
  misses: string[];
  falseFindings: string[];
}

type Recogniser = (text: string) => readonly LabelledSpan[];

/**
 * Precision and recall per entity over labelled texts. A marked identifier counts as found only when it is
 * covered whole: half a card number left standing is a leak. Nothing marked and nothing found is 1.
 */
export function score(texts: readonly LabelledText[], recognise: Recogniser): Scoring {
  const scores = new Map<string, Score>();
  const misses: string[] = [];
  const falseFindings: string[] = [];
  const of = (entity: string): Score => {
    const known = scores.get(entity) ?? {
      marked: 0,
      found: 0,
      findings: 0,
      right: 0,
      recall: 1,
      precision: 1,
    };
    scores.set(entity, known);
    return known;
  };
  for (const { text, spans } of texts) {
    const findings = recognise(text);
    for (const span of spans) {
      const covered = findings.some(
        (f) => f.entity === span.entity && f.start <= span.start && f.end >= span.end,
      );
      of(span.entity).marked += 1;
      if (covered) of(span.entity).found += 1;
      else misses.push(`${span.entity} «${text.slice(span.start, span.end)}» in «${excerpt(text, span)}»`);
    }
    for (const finding of findings) {
      const right = spans.some(
        (s) => s.entity === finding.entity && s.start < finding.end && finding.start < s.end,
      );
      of(finding.entity).findings += 1;
      if (right) of(finding.entity).right += 1;
      else
        falseFindings.push(
          `${finding.entity} «${text.slice(finding.start, finding.end)}» in «${excerpt(text, finding)}»`,
        );
    }
  }
  for (const entry of scores.values()) {
    entry.recall = entry.marked === 0 ? 1 : entry.found / entry.marked;
    entry.precision = entry.findings === 0 ? 1 : entry.right / entry.findings;
  }
  return { scores, misses, falseFindings };
}

function excerpt(text: string, span: LabelledSpan): string {
  return text.slice(Math.max(0, span.start - 30), span.end + 20).replaceAll('\n', '⏎');
}

/** The scores as lines of a Markdown table, entities in the given order. */
export function scoreTable(scores: Map<string, Score>, entities: readonly string[]): string {
  const rows = entities.map((entity) => {
    const s = scores.get(entity);
    if (!s) return `| ${entity} | 0 | 0 | – | – |`;
    return `| ${entity} | ${s.marked} | ${s.findings} | ${s.precision.toFixed(3)} | ${s.recall.toFixed(3)} |`;
  });
  return ['| entity | marked | findings | precision | recall |', '|---|---|---|---|---|', ...rows].join('\n');
}
