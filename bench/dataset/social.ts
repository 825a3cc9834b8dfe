import { hash } from '@node-rs/argon2';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { ROOT, startServer } from '../targets/process.js';
import { logFile, SERVICE } from './databases.js';
import { PASSWORD } from './world.js';

/** Amounts of everything. */
export interface SocialSize {
  /** The nodes of each of the two owners. */
  nodes: number;
  givers: number;
  nodesOfGiver: number;
  groups: number;
}

export const EMAILS = { with: 'with@example.test', without: 'without@example.test' } as const;

/**
 * Two owners of equal graphs. A thousand others share with one of them: a third share everything, a third two of their
 * five tags, a third ten single nodes; and this owner is a member of the groups. PostgreSQL itself writes the rows,
 * which are stored for later runs under a name that depends on everything that decides their content.
 */
export async function prepareSocial(size: SocialSize): Promise<Record<string, string>> {
  const server = process.env['BENCH_DATABASE_URL'];
  if (!server) throw new Error('BENCH_DATABASE_URL must name a PostgreSQL server (its role a superuser)');
  const content = createHash('sha256').update(JSON.stringify([size, STATEMENTS(size, '')]));
  for (const file of readdirSync(`${ROOT}migrations`).sort())
    content.update(readFileSync(`${ROOT}migrations/${file}`));
  const name = `pig_social_${content.digest('hex').slice(0, 12)}`;
  const url = (database: string): string => Object.assign(new URL(server), { pathname: `/${database}` }).href;
  const environment = { DATABASE_URL: url(name), DATA_DIR: `${ROOT}.services/bench/social` };
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (rowCount === 0) {
    const loading = 'pig_social_loading';
    await admin.query(`DROP DATABASE IF EXISTS ${loading} WITH (FORCE)`);
    await admin.query(`CREATE DATABASE ${loading}`);
    const log = logFile('migrate');
    const migrating = { ...environment, DATABASE_URL: url(loading) };
    await (
      await startServer({
        name: 'service',
        script: SERVICE,
        environment: migrating,
        readyPath: '/health/ready',
        log,
      })
    ).stop();
    await fill(url(loading), size);
    await admin.query(`ALTER DATABASE ${loading} RENAME TO ${name}`);
  }
  await admin.end();
  return environment;
}

async function fill(connectionString: string, size: SocialSize): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  for (const statement of STATEMENTS(size, await hash(PASSWORD))) {
    await client.query(statement);
    process.stderr.write('.');
  }
  process.stderr.write('\n');
  await client.end();
}

/** The same id for the same thing everywhere. */
const id = (text: string): string =>
  `overlay(overlay(md5(${text}) placing '4' from 13) placing 'a' from 17)::uuid`;
/** From 0 to 1, the same on every run. */
const chance = (text: string): string => `((hashtext(${text})::bigint + 2147483648) / 4294967296.0)`;
const YEAR = `interval '365 days'`;

const STATEMENTS = ({ nodes, givers, nodesOfGiver, groups }: SocialSize, passwordHash: string): string[] => [
  // Words and foreign keys are not measured here.
  `SET session_replication_role = replica`,
  `CREATE TEMPORARY TABLE people AS
   SELECT ${id(`'owner ' || name`)} AS id, name, ${nodes} AS nodes, 50 AS tags, FALSE AS gives, -1 AS i
   FROM unnest(ARRAY['with', 'without']) AS t (name)
   UNION ALL SELECT ${id(`'giver ' || i`)}, 'giver-' || i, ${nodesOfGiver}, 5, TRUE, i FROM generate_series(0, ${givers - 1}) AS i`,
  `INSERT INTO users (id, email, email_key, username, username_key, password_hash, tier, created_at, updated_at)
   SELECT id, name || '@example.test', name || '@example.test', name, name, '${passwordHash}', 'enterprise', now() - ${YEAR}, now() FROM people`,
  `INSERT INTO tags (owner_id, id, name, name_key, created_at, updated_at)
   SELECT p.id, ${id(`'tag ' || p.id || t`)}, word, word, now() - ${YEAR}, now() - ${YEAR}
   FROM people AS p, generate_series(0, p.tags - 1) AS t, LATERAL (SELECT 'tag ' || left(md5(p.id::text || t), 8)) AS w (word)`,
  `INSERT INTO nodes (owner_id, id, title, value, node_type, meaning_level, graph_view, metadata, tag_ids, created_at, updated_at)
   SELECT p.id, ${id(`'node ' || p.id || n`)}, 'a title of some forty letters ' || left(md5(n::text), 10), repeat(md5(p.id::text || n), 6),
     'note', 'CONTEXT', 'identity', jsonb_build_object('note', repeat(md5(n::text), 8)),
     ARRAY(SELECT ${id(`'tag ' || p.id || floor(${chance(`p.id::text || n || k`)} * p.tags)`)} FROM generate_series(1, 2) AS k GROUP BY 1),
     at, at
   FROM people AS p, generate_series(1, p.nodes) AS n, LATERAL (SELECT now() - ${chance(`'time ' || p.id || n`)} * ${YEAR}) AS t (at)`,
  `INSERT INTO relationships (owner_id, id, from_node_id, to_node_id, relationship_type, graph_view, created_at, updated_at)
   SELECT p.id, ${id(`'edge ' || p.id || n`)}, ${id(`'node ' || p.id || n`)}, ${id(`'node ' || p.id || (n * 7919) % p.nodes + 1`)},
     'related_to', 'identity', at, at
   FROM people AS p, generate_series(1, p.nodes) AS n, LATERAL (SELECT now() - ${chance(`'edge ' || p.id || n`)} * ${YEAR}) AS t (at)`,
  `INSERT INTO shares (owner_id, id, graph_owner_id, shared_with_user_id, scope, tag_ids, node_ids, can_read, can_write, can_delete, can_share,
     source, created_at, updated_at)
   SELECT p.id, ${id(`'share ' || i`)}, p.id, ${id(`'owner with'`)}, (ARRAY['all', 'specific_tags', 'specific_nodes'])[i % 3 + 1],
     CASE i % 3 WHEN 1 THEN ARRAY(SELECT ${id(`'tag ' || p.id || t`)} FROM generate_series(0, 1) AS t) ELSE '{}' END,
     CASE i % 3 WHEN 2 THEN ARRAY(SELECT ${id(`'node ' || p.id || n`)} FROM generate_series(1, 10) AS n) ELSE '{}' END,
     TRUE, FALSE, FALSE, FALSE, 'manual', now() - ${YEAR}, now() - ${YEAR}
   FROM people AS p WHERE p.gives`,
  `INSERT INTO groups (id, name, deletion_policy, created_by, created_at, updated_at)
   SELECT ${id(`'group ' || g`)}, 'group ' || g, 'disband', ${id(`'giver ' || g`)}, now(), now() FROM generate_series(0, ${groups - 1}) AS g`,
  `INSERT INTO group_members (owner_id, user_id, role, joined_at)
   SELECT ${id(`'group ' || g`)}, m.id, m.role, now() FROM generate_series(0, ${groups - 1}) AS g,
     LATERAL (VALUES (${id(`'giver ' || g`)}, 'admin'), (${id(`'owner with'`)}, 'member')) AS m (id, role)`,
  `INSERT INTO sequences (id, changes, policy) SELECT id, nodes, 1 FROM people UNION ALL SELECT id, 1, 1 FROM groups`,
  `VACUUM (ANALYZE)`,
  // Index-only scans are fastest right after a VACUUM, a state that no database in use is in: one row in a hundred was
  // written.
  `UPDATE nodes SET importance_score = 0.5 WHERE abs(hashtext(id::text)) % 100 = 0`,
  `CHECKPOINT`,
];
