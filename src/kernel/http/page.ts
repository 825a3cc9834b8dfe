import { IntegerField, LimitField, OffsetField } from './fields.js';

/** Which part of a list: at most `limit` entries after the first `offset`. */
export class PageQuery {
  @LimitField({ default: 20, max: 100 })
  limit: number;

  @OffsetField()
  offset: number;
}

/** What every list says beside its entries. */
export class PageDto {
  @IntegerField({ min: 0, example: 1 })
  total: number;

  @IntegerField({ min: 1, example: 20, description: 'The page size that was applied.' })
  limit: number;

  @IntegerField({ min: 0, example: 0 })
  offset: number;
}
