import pg from 'pg';
import { openEmbedded } from '../../src/libs/embedded-postgres/embedded.js';
import { owners, type Size } from '../dataset/world.js';
import { Store } from './store.js';

/** The store of a reference process; the database and the world come from its environment. */
export async function openStore(): Promise<Store> {
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  const url = process.env['DATABASE_URL'];
  const size = JSON.parse(process.env['BENCH_SIZE'] as string) as Size;
  const pool = url
    ? new pg.Pool({ connectionString: url, max: 10, options: '-c jit=off' })
    : new pg.Pool({ ...(await openEmbedded(`${process.env['DATA_DIR']}/database`)).poolConfig, max: 1 });
  return new Store(pool, owners(Number(process.env['BENCH_SEED']), size));
}
