import {
  holdingPii,
  holdsPii,
  type Redaction,
  redactingPii,
  redactPii,
  USUAL_REPLACEMENT,
} from '../../../libs/pii/redact.js';
import { PII_ENTITIES } from '../../../libs/pii/entities.js';
import { type Steps } from '../../../kernel/slices.js';
import { cutTo, lastFour, type LeafChange, redactingLeaf, REMOVED, textOf } from './leaves.js';
import { keyedHash } from './pseudonym.js';
import { roundedTo } from './rounded-dates.js';
import { type Transformation } from './transformation.js';

/** The change that a transformation makes to the values it selects. */
export interface ValueChange {
  /** Changes a whole selected value of any kind; without it every leaf below is changed. */
  whole?: (value: unknown) => unknown;
  leaf: LeafChange;
  /** Changes a leaf in the place of `leaf`, by its place in the thing that is shown. */
  placed?: (leaf: unknown, place: string) => unknown;
  /** True for a key whose entry is left out. */
  hidesKey?: (key: string) => boolean;
}

/** The redaction of a transformation; null for one of another type. */
export function redactionOf(transformation: Transformation): Redaction | null {
  if (transformation.type !== 'pii_redaction') return null;
  const { entities = PII_ENTITIES, replacement = USUAL_REPLACEMENT } = transformation.config ?? {};
  return { entities: new Set(entities), replacement };
}

/** The redactions of each text and key of one value, found step by step before the value is changed. */
export class FoundIdentifiers {
  private readonly texts = new Map<string, { text: string; label: string; redacted: string }>();
  private readonly keys = new Map<string, boolean>();

  /** Changes nothing: collects the texts to be searched. */
  readonly collecting: ValueChange = {
    leaf: redactingLeaf((text, label) => {
      this.texts.set(nameOf(text, label), { text, label, redacted: text });
      return text;
    }),
    hidesKey: (key) => {
      this.keys.set(key, false);
      return false;
    },
  };

  readonly change: ValueChange = {
    leaf: redactingLeaf((text, label) => this.texts.get(nameOf(text, label))!.redacted),
    hidesKey: (key) => this.keys.get(key)!,
  };

  *find(redaction: Redaction): Steps<void> {
    for (const key of this.keys.keys()) {
      this.keys.set(key, yield* holdingPii(key, redaction));
      yield undefined;
    }
    for (const one of this.texts.values()) {
      one.redacted = yield* redactingPii(one.text, redaction, one.label);
      yield undefined;
    }
  }
}

const nameOf = (text: string, label: string): string => `${label}\0${text}`;

/**
 * The change of a transformation.
 * @throws Error when it hashes and there is no key
 */
export function valueChangeOf(transformation: Transformation, pseudonymKey: string): ValueChange {
  switch (transformation.type) {
    case 'pii_redaction': {
      const redaction = redactionOf(transformation) as Redaction;
      // An entry whose key contains an identifier cannot be shown.
      return {
        leaf: redactingLeaf((text, label) => redactPii(text, redaction, label)),
        hidesKey: (key) => holdsPii(key, redaction),
      };
    }
    case 'field_mask': {
      const strategy = transformation.config.strategy ?? 'remove';
      if (strategy === 'remove') return { whole: () => REMOVED, leaf: () => REMOVED };
      if (strategy === 'null') return { whole: () => null, leaf: () => null };
      if (strategy === 'last4') return { leaf: lastFour };
      return hashing(pseudonymKey, (place) => `hash\0${place}`);
    }
    case 'truncate':
      return { leaf: cutTo(transformation.config.max) };
    case 'round_date':
      return { leaf: roundedTo(transformation.config?.granularity ?? 'day') };
    case 'pseudonymize':
      return hashing(pseudonymKey, () => 'pseudonym');
  }
}

function hashing(key: string, purposeAt: (place: string) => string): ValueChange {
  if (key === '') throw new Error('a transformation that hashes needs the key of its app and user');
  const placed = (leaf: unknown, place: string): unknown =>
    leaf === null || leaf === undefined ? leaf : keyedHash(key, purposeAt(place), textOf(leaf));
  return { leaf: () => REMOVED, placed };
}
