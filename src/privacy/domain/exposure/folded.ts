import { isDeepStrictEqual } from 'node:util';
import { PII_ENTITIES } from '../../../libs/pii/entities.js';
import { GRANULARITIES, type Transformation } from './transformation.js';

type Of<Type extends Transformation['type']> = Extract<Transformation, { type: Type }>;

/** One of the transformations of a profile, joined with the neighbours before it that it can replace. */
export interface FoldedStep {
  /** Replaces the written one and those that it continues: it applies to the value before them. */
  transformation: Transformation;
  continues: boolean;
}

/**
 * The transformations in their order, one step each. The order is preserved, because each works on the result
 * of the one before it.
 */
export function foldedSteps(transformations: readonly Transformation[]): FoldedStep[] {
  const steps: FoldedStep[] = [];
  for (const one of transformations) {
    const last = steps.at(-1)?.transformation;
    const both =
      last && isDeepStrictEqual(last.apply_to ?? {}, one.apply_to ?? {}) ? united(last, one) : null;
    steps.push({ transformation: both ?? one, continues: both !== null });
  }
  return steps;
}

/** A shorter list of transformations with the same outcome: neighbours that one can replace are joined. */
export function folded(transformations: readonly Transformation[]): Transformation[] {
  const steps = foldedSteps(transformations);
  const isLast = (_step: FoldedStep, index: number): boolean => steps[index + 1]?.continues !== true;
  return steps.filter(isLast).map(({ transformation }) => transformation);
}

function united(first: Transformation, second: Transformation): Transformation | null {
  if (first.type === 'field_mask' && second.type === 'field_mask') return masking(first, second);
  if (first.type === 'pseudonymize' && second.type === 'pseudonymize') return pseudonymizing(first, second);
  if (first.type === 'pii_redaction' && second.type === 'pii_redaction') return redacting(first, second);
  if (first.type === 'truncate' && second.type === 'truncate') return cutting(first, second);
  if (first.type === 'round_date' && second.type === 'round_date') return rounding(first, second);
  return null;
}

/** Two masks as one, or null. Neighbours that hash hash a value once, however many of them select it. */
function masking(first: Of<'field_mask'>, second: Of<'field_mask'>): Transformation | null {
  if ((first.config.strategy ?? 'remove') !== (second.config.strategy ?? 'remove')) return null;
  return { ...first, config: { ...first.config, paths: pathsOfBoth(first, second) } };
}

function pseudonymizing(first: Of<'pseudonymize'>, second: Of<'pseudonymize'>): Transformation {
  return { ...first, config: { ...first.config, paths: pathsOfBoth(first, second) } };
}

type WithPaths = Of<'field_mask'> | Of<'pseudonymize'>;

const pathsOfBoth = (first: WithPaths, second: WithPaths): string[] => [
  ...new Set([...first.config.paths, ...second.config.paths]),
];

/**
 * Two redactions as one, or null. Redacting again for the same kinds, or for fewer, changes nothing; for
 * other kinds it may.
 */
function redacting(first: Of<'pii_redaction'>, second: Of<'pii_redaction'>): Transformation | null {
  if (first.config?.replacement !== second.config?.replacement) return null;
  const done = new Set(first.config?.entities ?? PII_ENTITIES);
  return (second.config?.entities ?? PII_ENTITIES).every((entity) => done.has(entity)) ? first : null;
}

function cutting(first: Of<'truncate'>, second: Of<'truncate'>): Transformation | null {
  if (first.config.field !== second.config.field) return null;
  return first.config.max <= second.config.max ? first : second;
}

function rounding(first: Of<'round_date'>, second: Of<'round_date'>): Transformation {
  const coarseness = ({ config }: Of<'round_date'>): number =>
    GRANULARITIES.indexOf(config?.granularity ?? 'day');
  return coarseness(first) >= coarseness(second) ? first : second;
}
