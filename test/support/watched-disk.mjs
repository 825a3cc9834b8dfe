// Preloaded into the thread of an embedded database (embedded-durability.spec.ts): writes the path of each file that is
// synced into the file WATCHED_DISK, and fails to sync while there is a file of that name with `.fails` at its end.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const log = process.env.WATCHED_DISK;
const { appendFileSync, existsSync, fsyncSync, readlinkSync } = fs;

fs.fsyncSync = (descriptor) => {
  if (existsSync(`${log}.fails`)) throw Object.assign(new Error('planted'), { code: 'EIO' });
  const path = process.platform === 'linux' ? readlinkSync(`/proc/self/fd/${descriptor}`) : 'pg_wal';
  fsyncSync(descriptor);
  appendFileSync(log, `${path}\n`);
};
syncBuiltinESMExports();
