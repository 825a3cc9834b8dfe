import { Database } from '../../../src/kernel/database/database.js';
import { sql } from '../../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../../src/kernel/change-log/unit-of-work.js';
import { exported, imports, rowsOf, unzipped, zipped } from '../../portability/archives.js';
import { proposer } from '../../support/worlds/proposals.js';
import { type Answer } from '../../support/client.js';
import { type TestUser, World } from '../../support/world.js';
import { codeOf, node } from '../../support/worlds/nodes.js';

const wide = (count: number, number = '1e300'): string => `[${Array(count).fill(number).join()}]`;
const note = (field: string, numbers: string): string =>
  `{"title":"numbers","node_type":"NOTE","${field}":{"numbers":${numbers}}}`;
const detailsOf = ({ body }: Answer): unknown[] => [body.error.code, ...body.error.details];
const tooLarge = (field: string, bytes: number) => ({
  field,
  message: `must not be larger than ${bytes} bytes of JSON`,
});

describe('long numbers', () => {
  let world: World;
  let alice: TestUser;
  let database: Database;
  beforeAll(async () => {
    world = await World.startHere();
    database = world.nest.get(Database);
  });
  beforeEach(async () => {
    alice = await world.user();
  });
  afterAll(() => world.stop());

  it.each([
    ['metadata', '1e300'],
    ['metadata', '-1E+300'],
    ['metadata', '1e-300'],
    ['agent_metadata', '1e300'],
  ])(
    'numbers without an exponent count all of their digits in the %s of a node, as %s (rule 4.13b)',
    async (field, number) => {
      const refused = await alice.post('/nodes', note(field, wide(1_000, number)));
      expect(detailsOf(refused)).toEqual(['VALIDATION_ERROR', tooLarge(field, 262_144)]);
      const { id } = await node(alice);
      const changed = await alice.put(`/nodes/${id}`, note(field, wide(1_000, number)));
      expect(detailsOf(changed)).toEqual(['VALIDATION_ERROR', tooLarge(field, 262_144)]);
      const batch = await alice.post('/nodes/batch', `{"nodes":[${note(field, wide(1_000, number))}]}`);
      expect(batch.text).toContain('must not be larger than 262144 bytes of JSON');
      expect((await alice.get('/nodes')).body.total).toBe(1);
    },
  );

  it('numbers that PostgreSQL writes without an exponent are stored up to the limit, so that the database writes no more than the limit and its spaces', async () => {
    // Each number has 301 digits and a comma; the rest is 14 bytes.
    const most = Math.floor((262_144 - 14) / 302);
    expect((await alice.post('/nodes', note('metadata', wide(most)))).status).toBe(201);
    expect((await alice.post('/nodes', note('metadata', wide(most + 1)))).status).toBe(400);
    const [row] = await database.read<{ written: number }>(
      sql`SELECT octet_length(metadata::text) AS written FROM nodes WHERE owner_id = ${alice.id}`,
    );
    expect(row?.written).toBeGreaterThan(261_000);
    expect(row?.written).toBeLessThanOrEqual(262_144 + most + 1);
  });

  it('numbers without an exponent count all of their digits in schemas (rule 5.5)', async () => {
    const schema = (rest: string) => alice.post('/schemas', `{"name":"numbers",${rest}}`);
    const enumeration = await schema(`"json_schema":{"type":"object","enum":${wide(300)}}`);
    expect(detailsOf(enumeration)).toEqual(['INVALID_JSON_SCHEMA', tooLarge('json_schema', 65_536)]);
    const described = await schema(
      `"json_schema":{"type":"object"},"schema_metadata":{"numbers":${wide(300)}}`,
    );
    expect(detailsOf(described)).toEqual(['VALIDATION_ERROR', tooLarge('schema_metadata', 65_536)]);
  });

  it('numbers without an exponent count all of their digits in the body of any request (rule 4.13c)', async () => {
    const client = await proposer(world, alice, 'all');
    const proposal = (count: number, text: string) => {
      const payload = `{"title":"t","node_type":"n","metadata":{"numbers":${wide(count)},"text":"${text}"}}`;
      const actions = [1, 2, 3, 4, 5].map((n) => `{"id":"n${n}","type":"CREATE_NODE","payload":${payload}}`);
      return client.post('/proposals', `{"title":"numbers","type":"BATCH","actions":[${actions.join()}]}`);
    };
    const tooLong = [
      'VALIDATION_ERROR',
      {
        field: 'body',
        message: 'must have at most 1048576 bytes with its numbers written without exponents',
      },
    ];
    expect(detailsOf(await proposal(800, ''))).toEqual(tooLong);
    expect((await proposal(600, '1e300,'.repeat(100))).status).toBe(201);
    expect(detailsOf(await alice.post('/nodes', note('metadata', wide(4_000))))).toEqual(tooLong);
  });

  describe('earlier versions', () => {
    let id: string;
    beforeEach(async () => {
      ({ id } = await node(alice, { title: 'of before' }));
      const metadata = `{"numbers":${wide(4_000)}}`;
      await world.nest.get(UnitOfWork).run(async () => {
        await database.write(
          sql`UPDATE nodes SET metadata = ${metadata}::jsonb WHERE owner_id = ${alice.id} AND id = ${id}`,
        );
        await database.write(
          sql`UPDATE changes SET snapshot = jsonb_set(snapshot, '{metadata}', ${metadata}::jsonb)
            WHERE owner_id = ${alice.id} AND entity_id = ${id}`,
        );
      });
    });

    it('numbers without an exponent that an earlier version stored are read, listed, exported and left alone by changes of other fields', async () => {
      const changed = await alice.put(`/nodes/${id}`, { title: 'of today' });
      expect([changed.status, changed.body.title]).toEqual([200, 'of today']);
      expect((await alice.get(`/nodes/${id}`)).body.metadata.numbers).toHaveLength(4_000);
      expect((await alice.get('/nodes')).body.nodes[0].metadata.numbers[0]).toBe(1e300);
      const [row] = rowsOf(await exported(alice), 'data/nodes.ndjson');
      expect([row.title, row.metadata.numbers.length]).toEqual(['of today', 4_000]);
    });

    it('numbers without an exponent that an earlier version stored are refused in an archive by the limit of archived metadata', async () => {
      const refused = await imports(await world.user(), (await alice.get('/export')).bytes);
      expect(codeOf(refused)).toEqual([400, 'INVALID_ARCHIVE']);
      expect(refused.text).toContain('data/nodes.ndjson:1');
    });
  });

  it('numbers without an exponent count all of their digits in the rows of an archive, however they are written there (rule 12.3l)', async () => {
    await node(alice, { metadata: { numbers: [] } });
    const entries = await unzipped((await alice.get('/export')).bytes);
    const rows = entries.get('data/nodes.ndjson')?.toString() ?? '';
    const of = (count: number) =>
      zipped([
        ...new Map(entries).set(
          'data/nodes.ndjson',
          Buffer.from(rows.replace(/"numbers": ?\[\]/, `"numbers":${wide(count)}`)),
        ),
      ]);
    for (const count of [2_000, 60_000]) {
      const refused = await imports(await world.user(), await of(count));
      expect([count, ...codeOf(refused)]).toEqual([count, 400, 'INVALID_ARCHIVE']);
      expect(refused.text).toContain(count === 2_000 ? 'metadata' : 'bytes with its numbers');
    }
  });
});
