import { Database } from '../../../src/kernel/database/database.js';
import { sql } from '../../../src/kernel/database/sql.js';
import { Housekeeping } from '../../../src/kernel/housekeeping.js';
import { UnitOfWork } from '../../../src/kernel/change-log/unit-of-work.js';
import { sentStatements } from '../../support/sent-statements.js';
import { until } from '../../support/until.js';
import { type TestUser, World } from '../../support/world.js';

/** Different words that together have more than 16 KiB: two of these are worth preparing. */
const long = (seed: string): string =>
  Array.from({ length: 2_000 }, (_, index) => `${seed}${index.toString(36)}word`).join(' ');

describe('words of long values (rule 4.9h)', () => {
  let world: World;
  let alice: TestUser;
  let database: Database;
  beforeAll(async () => {
    world = await World.startHere();
    database = world.nest.get(Database);
  });
  beforeEach(async () => (alice = await world.user()));
  afterAll(() => world.stop());

  const note = (title: string, value: string) => ({ title, value, node_type: 'note' });
  const batch = async (nodes: object[], headers = {}) =>
    (await alice.post('/nodes/batch', { nodes }, { headers })).body;
  /** True for each node of Alice whose words are those that its texts have. */
  const areExact = async (): Promise<boolean[]> => {
    const rows = await database.read<{ same: boolean }>(
      sql`SELECT w.words = node_words_of(n.owner_id, n.title, n.value, n.node_type, n.metadata -> 'properties') AS same
        FROM nodes AS n JOIN node_words AS w ON w.owner_id = n.owner_id AND w.node_id = n.id WHERE n.owner_id = ${alice.id}`,
    );
    return rows.map(({ same }) => same);
  };
  const left = () => database.read(sql`SELECT digest FROM prepared_words WHERE owner_id = ${alice.id}`);
  const nothingIsLeft = () => until(async () => (await left()).length === 0, 'prepared words are removed');
  const write = (statement: ReturnType<typeof sql>) =>
    world.nest.get(UnitOfWork).run(() => database.write(statement));
  /** Runs something once the words of a value are prepared, before its write. */
  const afterPreparing = (act: () => Promise<unknown>): (() => void) => {
    const { writeAlone } = database;
    let isDone = false;
    const acting = async (statement: { text: string }): Promise<unknown> => {
      const rows = await writeAlone.call(database, statement as never);
      if (!isDone && statement.text.startsWith('INSERT INTO prepared_words')) {
        isDone = true;
        await act();
      }
      return rows;
    };
    Object.assign(database, { writeAlone: acting });
    return () => {
      Object.assign(database, { writeAlone });
      expect(isDone).toBe(true);
    };
  };
  /** Makes the words of a value that Alice writes next others than its own. */
  const prepareOthers = (value: string) =>
    write(sql`INSERT INTO prepared_words (owner_id, digest, write_id, words)
      VALUES (${alice.id}, digest_of(${value}), '00000000-0000-4000-8000-000000000001', 'planted'::tsvector)`);

  it('nodes of a batch have the words of their texts, and nothing of the preparation is left', async () => {
    const texts = [long('a'), long('b'), long('a')];
    const sent = sentStatements(database);
    expect(await batch(texts.map((value, index) => note(`long ${index}`, value)))).toMatchObject({
      errors: [],
    });
    sent.stop();
    expect(sent.names.filter((name) => name === 'value-words')).toHaveLength(2);
    expect(await areExact()).toEqual([true, true, true]);
    await nothingIsLeft();
  });

  it('nothing of the preparation is left by a batch with an Idempotency-Key, and by writes that are refused', async () => {
    const notes = [note('one', long('m')), note('two', long('n'))];
    expect(await batch(notes, { 'Idempotency-Key': 'long values' })).toMatchObject({ errors: [] });
    expect(await areExact()).toEqual([true, true]);
    const { body } = await alice.post('/nodes', note('long', `${long('o')} ${long('p')}`));
    for (const headers of [{}, { 'Idempotency-Key': 'refused' }] as Record<string, string>[]) {
      const { id } = (await alice.post('/nodes', note('short', 'short'))).body as { id: string };
      const restore = afterPreparing(() => alice.delete(`/nodes/${id}`));
      expect((await alice.put(`/nodes/${id}`, { value: body.value }, { headers })).status).toBe(404);
      restore();
    }
    await nothingIsLeft();
  });

  it('a long value that replaces another one is found by its words, and by none of the earlier ones', async () => {
    const value = `${long('c')} ${long('d')}`;
    const { body } = await alice.post('/nodes', note('long', value));
    const sent = sentStatements(database);
    await alice.put(`/nodes/${body.id}`, { value: `${long('e')} ${long('f')}` });
    sent.stop();
    expect(sent.names).toContain('value-words');
    expect(await areExact()).toEqual([true]);
    await nothingIsLeft();
  });

  it('the words of a long value are prepared before its proposal is applied', async () => {
    const app = await alice.lets(await world.app());
    const canonical_data = note('long', `${long('s')} ${long('t')}`);
    const { body } = await app.post('/proposals', { canonical_data, status: 'READY_FOR_APPROVAL' });
    await alice.get(`/proposals/${body.id}`);
    const sent = sentStatements(database);
    const applied = await alice.post(`/proposals/${body.id}/approve`, { apply: true });
    sent.stop();
    expect(applied.body).toMatchObject({ status: 'APPLIED' });
    expect(sent.names.filter((name) => name === 'value-words')).toHaveLength(1);
    expect(await areExact()).toEqual([true]);
    await nothingIsLeft();
  });

  it('a value takes its words from what was prepared for its owner, and a short one does not look there', async () => {
    const short = 'word '.repeat(100);
    await prepareOthers(long('g'));
    await prepareOthers(short);
    await batch([note('long', long('g')), note('short', short)]);
    expect((await areExact()).sort()).toEqual([false, true]);
    const bob = await world.user();
    await bob.post('/nodes', note('long', long('g')));
    const { body } = await bob.post('/nodes/search', { query: 'planted' });
    expect(body.total).toBe(0);
  });

  it('a batch that creates nothing prepares nothing: its values are duplicates or not valid', async () => {
    const notes = [note('one', long('h')), note('two', long('i'))];
    await batch(notes);
    const sent = sentStatements(database);
    expect(await batch([...notes, { value: long('j') }, { value: long('k') }])).toMatchObject({
      created: [],
    });
    sent.stop();
    expect(sent.names).toContain('nodes-duplicates');
    expect(sent.names).not.toContain('value-words');
  });

  it('the hourly housekeeping removes what a process left behind that ended before its write', async () => {
    await prepareOthers(long('l'));
    await world.nest.get(Housekeeping).sweep();
    expect(await left()).toHaveLength(1);
    await write(sql`UPDATE prepared_words SET prepared_at = prepared_at - interval '2 hours'`);
    await world.nest.get(Housekeeping).sweep();
    expect(await left()).toEqual([]);
  });
});
