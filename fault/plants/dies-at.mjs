// A planted fault: the process kills itself before it sends a statement to the database that begins with
// FAULT_DIES_AT, or, with `rm 3`, before it removes its third file.
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import pg from 'pg';

const [, nth] = /^rm (\d+)$/.exec(process.env.FAULT_DIES_AT) ?? [];
const die = () => process.kill(process.pid, 'SIGKILL');

const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (asked, ...rest) {
  const text = typeof asked === 'string' ? asked : asked?.text;
  if (isMainThread && text?.trimStart().startsWith(process.env.FAULT_DIES_AT)) die();
  return query.call(this, asked, ...rest);
};

let removed = 0;
const { rm } = fs;
fs.rm = (path, ...rest) => {
  if (/[/\\]blobs[/\\]/.test(path) && ++removed === Number(nth)) die();
  return rm(path, ...rest);
};
syncBuiltinESMExports();
