import { Transform } from 'class-transformer';
import * as check from '../fields/checks.js';
import { converted, field, MAX_INTEGER, toNumber } from '../fields/field.js';
import { IntegerField } from '../fields/fields.js';

interface PageSize {
  /** The default size; if absent, the field may be absent. */
  default?: number;
  max: number;
  /** The name of the parameter that this one overrides. */
  goesBefore?: string;
}

/** Page size. Values over the maximum are lowered to it (rule 4.7a), including those beyond a double. */
export function LimitField({ default: size, max, goesBefore }: PageSize): PropertyDecorator {
  const isOver = (value: unknown): boolean =>
    (Number.isInteger(value) || value === Infinity) && (value as number) > max;
  const cut = converted(Transform(({ value }) => (isOver(value) ? max : (value as unknown))));
  const rank = goesBefore === undefined ? '' : `; takes precedence over ${goesBefore}`;
  const description = `Page size${rank}; values over ${max} are lowered to ${max}.`;
  // class-transformer runs a property's transformations from the last to the first.
  return field(
    { default: size, optional: true, description },
    { type: 'integer', minimum: 1, maximum: max },
    cut,
    toNumber,
    check.isInteger(),
    check.isFrom(1),
  );
}

export function OffsetField({ goesBefore }: { goesBefore?: string } = {}): PropertyDecorator {
  const description = 'The number of entries to skip';
  return field(
    goesBefore === undefined
      ? { default: 0, description: `${description}.` }
      : { optional: true, description: `${description}; takes precedence over ${goesBefore}.` },
    { type: 'integer', minimum: 0 },
    toNumber,
    check.isInteger(),
    check.isFrom(0),
    check.isUpTo(Number.MAX_SAFE_INTEGER),
  );
}

export function PageField(): PropertyDecorator {
  const description = 'Page number, from 1.';
  return field(
    { default: 1, description },
    { type: 'integer', minimum: 1 },
    toNumber,
    check.isInteger(),
    check.isFrom(1),
    check.isUpTo(MAX_INTEGER),
  );
}

/** The requested part of a list: at most `limit` entries after the first `offset`. */
export class PageQuery {
  @LimitField({ default: 20, max: 100 })
  limit: number;

  @OffsetField()
  offset: number;
}

/** The applied page size in an answer: a size over the maximum is lowered (rule 4.7a). */
export const AppliedLimitField = (): PropertyDecorator =>
  IntegerField({ min: 1, example: 20, description: 'The applied page size.' });

/** The fields that every list has beside its entries. */
export class PageDto {
  @IntegerField({ min: 0, example: 1 })
  total: number;

  @AppliedLimitField()
  limit: number;

  @IntegerField({ min: 0, example: 0 })
  offset: number;
}
