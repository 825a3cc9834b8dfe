import { isDeepStrictEqual } from 'node:util';
import { PII_ENTITIES } from '../../../libs/pii/entities.js';
import { GRANULARITIES, type Transformation } from './transformation.js';

type Of<Type extends Transformation['type']> = Extract<Transformation, { type: Type }>;

/**
 * A shorter list of transformations with the same outcome: neighbours that one can replace are joined. The
 * order is preserved, because each works on the result of the one before it.
 */
export function folded(transformations: readonly Transformation[]): Transformation[] {
  const result: Transformation[] = [];
  for (const one of transformations) {
    const last = result.at(-1);
    const both =
      last && isDeepStrictEqual(last.apply_to ?? {}, one.apply_to ?? {}) ? united(last, one) : null;
    if (both === null) result.push(one);
    else result[result.length - 1] = both;
  }
  return result;
}

function united(first: Transformation, second: Transformation): Transformation | null {
  if (first.type === 'field_mask' && second.type === 'field_mask') return masking(first, second);
  if (first.type === 'pii_redaction' && second.type === 'pii_redaction') return redacting(first, second);
  if (first.type === 'truncate' && second.type === 'truncate') return cutting(first, second);
  if (first.type === 'round_date' && second.type === 'round_date') return rounding(first, second);
  return null;
}

/**
 * Two masks as one, or null. A hash of a hash is another hash; with the other strategies a masked value stays
 * as it is.
 */
function masking(first: Of<'field_mask'>, second: Of<'field_mask'>): Transformation | null {
  const { strategy = 'remove' } = first.config;
  if (strategy === 'hash' || strategy !== (second.config.strategy ?? 'remove')) return null;
  const paths = [...new Set([...first.config.paths, ...second.config.paths])];
  return { ...first, config: { ...first.config, paths } };
}

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
