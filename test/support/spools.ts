import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config } from '../../src/config/config.js';
import { Spool } from '../../src/kernel/spool/spool.js';
import { SpoolRoom } from '../../src/kernel/spool/spool-room.js';

/** A folder of a test, deleted at its end, and the room of its disk. */
export function spoolsOfTest(): { folder: string; room: SpoolRoom; openSpool: () => Promise<Spool> } {
  const folder = mkdtempSync(join(tmpdir(), 'pig-blobs-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const room = new SpoolRoom({ dataDir: folder } as Config);
  return { folder, room, openSpool: () => Spool.open(folder, room) };
}
