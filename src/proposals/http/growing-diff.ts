import { ByteBudget } from '../../kernel/database/page-bytes.js';
import { type DiffEntryDto, type UnseenWarningDto } from './proposal-review.dto.js';
import { addWarnings } from './unseen-warnings.js';

/**
 * The entries of a diff as they are made. Those that begin within its budget are whole, so at least the first one;
 * further ones omit their values, and in the end their fields. What is counted and warned of covers all of them.
 */
export class GrowingDiff {
  readonly entries: DiffEntryDto[] = [];
  readonly warnings: UnseenWarningDto[] = [];
  /** The names of tags that nodes are to have. */
  readonly tagNames = new Set<string>();
  /** The number of fields in conflict. */
  conflicts = 0;
  private readonly values = new ByteBudget();
  private readonly names = new ByteBudget();

  /** Notes the invisible characters of a text beside the entries. */
  warnOf(text: unknown, path: string): void {
    addWarnings(text, path, this.warnings);
  }

  take(entry: DiffEntryDto): void {
    addWarnings(entry, `entries.${this.entries.length}`, this.warnings);
    for (const { field, after, conflict } of entry.fields) {
      if (conflict) this.conflicts++;
      if (field === 'tags') for (const name of (after ?? []) as string[]) this.tagNames.add(name);
    }
    this.entries.push(this.withinBytes(entry));
  }

  private withinBytes(entry: DiffEntryDto): DiffEntryDto {
    if (!this.values.isUsedUp) {
      this.values.take(entry);
      return entry;
    }
    const fields = entry.fields.map(({ field, conflict }) => ({ field, conflict }));
    if (!this.names.isUsedUp) {
      this.names.take(fields);
      return { ...entry, fields, values_omitted: true };
    }
    return { ...entry, fields: [], values_omitted: true };
  }
}
