/** The kinds of identifier that redaction knows (rule 3.15), in the order of precedence where two overlap. */
export const PII_ENTITIES = ['email', 'iban', 'credit_card', 'ssn', 'ip', 'phone', 'url'] as const;

export type PiiEntity = (typeof PII_ENTITIES)[number];

/** A stretch `[start, end)` of a text, in UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

/** A search through a text: yields findings, and undefined where it may pause. */
export type Finding = Generator<Span | undefined, void>;

export interface PiiFinding extends Span {
  entity: PiiEntity;
}
