// A process that writes to an embedded database until it is killed: node embedded-writer.mjs <directory>
// Prints on its own line: `ready <rows found> <half batches found>`, then after each commit the number of its
// batch.
import pg from 'pg';
import { openEmbedded } from '../../build/libs/embedded-postgres/embedded.js';

const BATCH = 5;
const WRITERS = 8;
const database = await openEmbedded(process.argv[2]);
const pool = new pg.Pool(database.poolConfig);
await pool.query(`CREATE TABLE IF NOT EXISTS writes (batch int, position int, filler text);
  CREATE SEQUENCE IF NOT EXISTS batches`);
const { rows } =
  await pool.query(`SELECT coalesce(sum(n), 0)::int AS rows, count(*) FILTER (WHERE n <> ${BATCH})::int AS halves,
  coalesce(array_agg(batch), '{}') AS batches FROM (SELECT batch, count(*) AS n FROM writes GROUP BY batch) b`);
console.log(`ready ${rows[0].halves} ${rows[0].batches.join(',')}`);

const insert = `INSERT INTO writes SELECT $1, $2, repeat('x', 300)`;
async function write() {
  for (;;) {
    const client = await pool.connect();
    await client.query('BEGIN');
    const batch = Number((await client.query(`SELECT nextval('batches') AS batch`)).rows[0].batch);
    for (let position = 0; position < BATCH; position++) {
      await client.query({ name: 'insert', text: insert, values: [batch, position] });
    }
    await client.query('COMMIT');
    client.release();
    process.stdout.write(`${batch}\n`);
  }
}
await Promise.all(Array.from({ length: WRITERS }, write));
