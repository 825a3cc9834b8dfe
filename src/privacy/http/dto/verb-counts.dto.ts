import { IntegerField } from '../../../kernel/http/fields/fields.js';

/** The number of nodes for each verb. */
export class VerbCountsDto {
  @IntegerField({ min: 0, example: 40 })
  read: number;

  @IntegerField({ min: 0, example: 12 })
  propose: number;

  @IntegerField({ min: 0, example: 5 })
  edit: number;

  @IntegerField({ min: 0, example: 0 })
  delete: number;
}
