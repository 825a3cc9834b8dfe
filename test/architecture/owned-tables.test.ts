import { Config } from '../../src/config/config.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { freshDatabase } from '../support/database.js';

/** Tables whose rows nobody's graph owns: callers, what is counted by owner or app, and the service's own. */
const NOT_OWNED = [
  'users',
  'groups',
  'refresh_tokens',
  'log_ins',
  'known_networks',
  'letters',
  'mail_tokens',
  'totp_factors',
  'recovery_codes',
  'passkeys',
  'challenges',
  'sequences',
  'apps',
  'api_keys',
  'app_usage',
  'oauth_devices',
  'sweeps',
  'migrations',
];
/** The only keys that lead from one owner's rows to another's (docs/scale.md). */
const BETWEEN_OWNERS = ['group_connections -> groups', 'group_shares -> groups', 'shares -> shares'];

interface Key {
  name: string;
  columns: string[];
  target: string | null;
  target_columns: string[] | null;
}

const KEYS = (kind: 'p' | 'f') => sql`
  SELECT t.relname AS name, target.relname AS target,
    ARRAY(SELECT a.attname::text FROM unnest(c.conkey) WITH ORDINALITY AS k (number, place)
      JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number ORDER BY k.place) AS columns,
    ARRAY(SELECT a.attname::text FROM unnest(c.confkey) WITH ORDINALITY AS k (number, place)
      JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.number ORDER BY k.place) AS target_columns
  FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname = 'public'
  LEFT JOIN pg_constraint c ON c.conrelid = t.oid AND c.contype = ${kind}
  LEFT JOIN pg_class target ON target.oid = c.confrelid
  WHERE t.relkind IN ('r', 'p') ORDER BY t.relname`;

describe('distribution', () => {
  let database: Database;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const fresh = await freshDatabase();
    drop = fresh.drop;
    database = await Database.open(new Config({ DATABASE_URL: fresh.url }), []);
  });
  afterAll(async () => {
    await database.close();
    await drop();
  });
  const withoutOwner = async () =>
    (await database.read<Key>(KEYS('p')))
      .filter(({ name, columns }) => !NOT_OWNED.includes(name) && columns[0] !== 'owner_id')
      .map(({ name }) => name);

  it('tables of what somebody owns can be distributed by owner by the first column of each primary key', async () => {
    expect(await withoutOwner()).toEqual([]);
  });

  it('tables of what somebody owns can be distributed by owner by foreign keys that stay with one owner, but for those that are named', async () => {
    const strays = (await database.read<Key>(KEYS('f')))
      .filter(({ name, target }) => target !== null && !NOT_OWNED.includes(name) && target !== 'users')
      .filter(({ columns, target_columns }) => {
        const place = columns.indexOf('owner_id');
        return place < 0 || !['owner_id', 'id'].includes(target_columns?.[place] ?? '');
      })
      .map(({ name, target }) => `${name} -> ${target}`);
    expect([...new Set(strays)].filter((stray) => !BETWEEN_OWNERS.includes(stray))).toEqual([]);
  });

  it('a planted table without its owner is found', async () => {
    await database.dataSource.query('CREATE TABLE planted (id uuid PRIMARY KEY, owner_id uuid)');
    await database.dataSource.query('CREATE TABLE planted_without_key (owner_id uuid)');
    expect(await withoutOwner()).toEqual(['planted', 'planted_without_key']);
  });
});
