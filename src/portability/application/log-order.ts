import { OMITTED } from '../domain/restored-tables.js';
import { type ArchivedRow } from '../infrastructure/restored-rows.queries.js';

/** The numbers of the log and of contributions to it, behind those of the entries that were there. */
export const numberedAfter = (before: number, row: ArchivedRow): ArchivedRow =>
  'sequence' in row ? { ...row, sequence: (row['sequence'] as number) + before } : row;

/**
 * Checks that the log is numbered from 1 without gaps, and that its times never fall (rule 7.7), except for entries that
 * are only counted: an import comes behind those of others (ADR 98).
 */
export class LogOrder {
  private last = 0;
  private time = 0;

  faultOf(row: ArchivedRow): string | null {
    if (row['sequence'] !== this.last + 1) return `sequence must be ${this.last + 1}`;
    this.last++;
    if (row['entity'] === OMITTED) return null;
    const time = Date.parse(row['changed_at'] as string);
    if (time < this.time) return 'changed_at is before that of the change before';
    this.time = time;
    return null;
  }
}
