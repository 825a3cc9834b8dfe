import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The folder of databases to copy: making and migrating one takes ten times as long. */
export const PREPARED = resolve('node_modules/.cache/test-database');

/** A key that changes with the migrations and with the version of the database. */
export function migrationsKey(): string {
  const key = createHash('sha256').update(readFileSync('package-lock.json'));
  for (const file of readdirSync('migrations').sort())
    key.update(file).update(readFileSync(`migrations/${file}`));
  return key.digest('hex').slice(0, 16);
}
