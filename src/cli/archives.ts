import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DomainError } from '../kernel/errors/domain-error.js';
import { ArchiveUploads, ExportService, ImportService } from '../portability/index.js';
import { statOf } from './import-source.js';
import { fromCaller, print, UsageError, withService } from './operator.js';
import { userNamed } from './user-named.js';

/** The command `export`: the archive of GET /export, in a file that only the operator may read. */
export async function exportUser(name: string, file: string | undefined): Promise<void> {
  await withService(async (app) => {
    const user = await userNamed(app, name);
    const path = fromCaller(file ?? `${user.username}.zip`);
    let isNew = false;
    const save = (archive: Readable): Promise<void> => {
      const target = createWriteStream(path, { flags: 'wx', mode: 0o600 });
      return pipeline(
        archive,
        target.once('open', () => (isNew = true)),
      );
    };
    try {
      await app.get(ExportService).sendToOperator(user, save);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST')
        throw new UsageError(`${path} is there already; name another file`);
      if (isNew) await rm(path, { force: true });
      throw error;
    }
    print(`Everything of ${user.username} (${user.id}) is in ${path}`);
  });
}

/**
 * The command `import` with an archive: the same as POST /import for that user, on any plan. Ids stay those of the
 * archive if they are all free here, so that links from elsewhere stay valid (rule 12.3c).
 */
export async function importArchive(path: string, name: string): Promise<void> {
  await statOf(path);
  await withService(async (app) => {
    const user = await userNamed(app, name);
    const uploads = app.get(ArchiveUploads);
    await uploads.refuseUsed(user.id);
    const upload = await uploads.take(user, createReadStream(path), true);
    try {
      const { rows, hasNewIds } = await app.get(ImportService).restore(user.id, upload, true);
      for (const [table, count] of Object.entries(rows))
        if (count > 0) print(`${table.replaceAll('_', ' ')}: ${count}`);
      if (hasNewIds) print('Everything has a new id: ids of the archive are in use here');
    } catch (error) {
      // After an error of the service it is unknown if rows refer to the files; the sweep will check.
      if (error instanceof DomainError) await upload.discard();
      throw error;
    } finally {
      await upload.close();
    }
  });
}
