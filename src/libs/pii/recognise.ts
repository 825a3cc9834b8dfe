import { findCreditCards } from './credit-card.js';
import { findEmails } from './email.js';
import { type Finding, PII_ENTITIES, type PiiEntity, type PiiFinding, type Span } from './entities.js';
import { findIbans } from './iban.js';
import { findIps } from './ip.js';
import { spansOfOtherNumbers } from './not-phone.js';
import { findPhones } from './phone.js';
import { findSsns } from './ssn.js';
import { closed, fold } from './text.js';
import { findUrls } from './url.js';

type Finder = (text: string) => Finding;

const FINDERS: Record<Exclude<PiiEntity, 'phone'>, Finder> = {
  email: findEmails,
  iban: findIbans,
  credit_card: findCreditCards,
  ssn: findSsns,
  ip: findIps,
  url: findUrls,
};

/** A pattern that matches part of every identifier: most short texts are dismissed by it. */
const A_TRACE = /[\d@]|\.[^\s.]|:\/\/|[[({]\s?at\s?[\])}]/i;

/**
 * Finds personal identifiers in a text, in order and without overlap. Overlapping ones are one finding, of
 * the longer one's entity (of the first in PII_ENTITIES when they are equal). The work grows linearly with
 * the text.
 */
export function recognisePii(text: string, entities: ReadonlySet<PiiEntity>): PiiFinding[] {
  return atOnce(recognition(text, entities));
}

/** The same in steps, between which the work may pause. */
export function* recognition(
  text: string,
  entities: ReadonlySet<PiiEntity>,
): Generator<undefined, PiiFinding[]> {
  const folded = fold(text);
  const found = yield* findingsIn(folded, entities);
  // The text is also read without invisible characters: they may lie inside an identifier, or between two.
  const joined = closed(folded);
  if (joined === null) return united(found);
  const inside = yield* findingsIn(joined.text, entities);
  return united([...found, ...inside.map((finding) => ({ ...finding, ...joined.opened(finding) }))]);
}

function* findingsIn(folded: string, entities: ReadonlySet<PiiEntity>): Generator<undefined, PiiFinding[]> {
  if (!A_TRACE.test(folded)) return [];
  const found = new Map<PiiEntity, Span[]>();
  for (const entity of PII_ENTITIES) {
    if (entity === 'phone') continue;
    // A search for telephone numbers needs the other kinds of number: they rule candidates out.
    if (entities.has(entity) || entities.has('phone'))
      found.set(entity, yield* spansOf(FINDERS[entity](folded)));
  }
  if (entities.has('phone')) {
    const others = yield* spansOf(spansOfOtherNumbers(folded));
    found.set('phone', yield* spansOf(findPhones(folded, [...found.values(), others].flat())));
  }
  return PII_ENTITIES.filter((entity) => entities.has(entity)).flatMap((entity) =>
    (found.get(entity) ?? []).map((span) => ({ ...span, entity })),
  );
}

function* spansOf(finding: Finding): Generator<undefined, Span[]> {
  const found: Span[] = [];
  for (const span of finding) {
    if (span === undefined) yield undefined;
    else found.push(span);
  }
  return found;
}

/** Runs steps without a pause. */
export function atOnce<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Joins overlapping findings, so that no part of either remains. */
function united(findings: readonly PiiFinding[]): PiiFinding[] {
  const sorted = [...findings].sort((a, b) => a.start - b.start || b.end - a.end);
  const result: PiiFinding[] = [];
  for (const finding of sorted) {
    const last = result.at(-1);
    if (!last || finding.start >= last.end) {
      result.push({ ...finding });
      continue;
    }
    const [longer, shorter] =
      finding.end - finding.start > last.end - last.start ? [finding, last] : [last, finding];
    const alike = longer.end - longer.start === shorter.end - shorter.start;
    if (alike && rank(shorter) < rank(longer)) last.entity = shorter.entity;
    else last.entity = longer.entity;
    last.end = Math.max(last.end, finding.end);
  }
  return result;
}

function rank(finding: PiiFinding): number {
  return PII_ENTITIES.indexOf(finding.entity);
}
