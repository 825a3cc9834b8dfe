import { readdirSync, readFileSync, statSync } from 'node:fs';
import { Redis } from 'ioredis';
import { join } from 'node:path';
import { BLOB_STORE, type BlobStore } from '../../src/graph/index.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { type World } from '../support/world.js';

/** The columns of the database that contain the text, by table. */
export async function placesOf(world: World, text: string): Promise<string[]> {
  const database = world.nest.get(Database);
  const columns = await database.read<{ table: string; column: string }>(
    sql`SELECT table_name AS table, column_name AS column FROM information_schema.columns WHERE table_schema = 'public'`,
  );
  const places: string[] = [];
  for (const { table, column } of columns) {
    const rows = await database.read(
      sql`SELECT 1 FROM ${sql.raw(`"${table}"`)} WHERE ${sql.raw(`"${column}"`)}::text ILIKE ${`%${text}%`} LIMIT 1`,
    );
    if (rows.length > 0) places.push(`${table}.${column}`);
  }
  return places.sort();
}

export function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && readFileSync(path).includes(text));
}

/** Keys of the store with that text in their bytes. */
export async function storedWith(world: World, text: string): Promise<string[]> {
  const store = world.nest.get<BlobStore>(BLOB_STORE, { strict: false });
  const found: string[] = [];
  for await (const { key } of store.list()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await store.read(key)) chunks.push(chunk as Buffer);
    if (Buffer.concat(chunks).includes(text)) found.push(key);
  }
  return found;
}

export async function keysWith(text: string): Promise<string[]> {
  if (!process.env.REDIS_URL) return [];
  const redis = new Redis(process.env.REDIS_URL);
  try {
    const keys = await redis.keys('*');
    const found: string[] = [];
    for (const key of keys) {
      const dumped = await redis.dumpBuffer(key);
      if (key.includes(text) || dumped?.includes(text)) found.push(key);
    }
    return found;
  } finally {
    redis.disconnect();
  }
}
