import { parseJsonInSlices, RefusedJson, ROW_BOUNDS } from '../../kernel/json/json-text.js';
import { isObject } from '../../kernel/json/json-values.js';
import { rest, Slices } from '../../kernel/slices.js';
import { type Amounts } from '../../kernel/change-log/quota-statements.js';
import { invalidArchive } from '../domain/archive-format.js';
import { addedByRow, leastBytes, type Sums } from '../domain/archived-amounts.js';
import { ArchivedIds, definesIds } from '../domain/archived-ids.js';
import { ARCHIVED_OWNER } from '../domain/name-mapping.js';
import { entryNameOf } from '../domain/owned-table.js';
import { RESTORED } from '../domain/restored-tables.js';
import { type ArchiveFile } from '../infrastructure/archive-file.js';
import { type IdShare } from './id-budget.js';
import { faultInSlices } from './row-checks.js';

/** The result of a first pass through an archive, before any of it is stored. */
export interface Survey {
  ids: ArchivedIds;
  /**
   * The additions of the archive to the counters of its account: for bytes a lower bound, else the sum
   * (rule 12.3f).
   */
  amounts: Amounts;
}

/**
 * @param most the ids that one archive may have
 * @param share holds the ids until it is released
 * @throws INVALID_ARCHIVE, TOO_MUCH_UNDER_WAY
 */
export async function survey(
  archive: ArchiveFile,
  { most, share }: { most: number; share: IdShare },
): Promise<Survey> {
  const ids = new ArchivedIds();
  const amounts: Sums = { file_bytes: archive.fileBytes };
  for (const owned of RESTORED.filter(definesIds)) {
    const entry = entryNameOf(owned);
    for await (const [line, number] of archive.lines(entry)) {
      const where = `${entry}:${number}`;
      const row = await objectIn(line, where);
      const fault = await faultInSlices(owned, row, ARCHIVED_OWNER);
      if (fault !== null) throw invalidArchive(where, fault);
      ids.addThoseOf(owned, row);
      if (ids.size > most)
        throw invalidArchive(
          entry,
          `there are more than the ${most} ids that your plan and this server allow`,
        );
      share.hold(ids.size);
      addedByRow(amounts, owned.table, row);
      await rest();
      if (owned.table !== 'changes') continue;
      const bytes = await new Slices(Infinity).run(leastBytes([row['snapshot'], row['changed_fields']]));
      amounts.graph_bytes = (amounts.graph_bytes ?? 0) + bytes;
    }
  }
  return { ids, amounts };
}

/**
 * The object of a line, which may be long: others are served meanwhile.
 * @throws INVALID_ARCHIVE
 */
export async function objectIn(line: string, where: string): Promise<Record<string, unknown>> {
  let value: unknown;
  try {
    value = await parseJsonInSlices(line, ROW_BOUNDS);
  } catch (error) {
    throw error instanceof RefusedJson ? invalidArchive(where, error.message) : error;
  }
  if (!isObject(value)) throw invalidArchive(where, 'is not an object');
  return value;
}
