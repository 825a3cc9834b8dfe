import { jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { letsIn, node, profile, tagId } from '../support/worlds/nodes.js';
import { applied } from '../support/worlds/proposals.js';
import { type Client } from '../support/client.js';
import { type Explained, rowsOf } from '../support/plans.js';
import { type TestUser, type World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';

const ALL = { read: 'all', create: 'all', edit: 'all', propose: 'all', discover: 'all' } as const;
const PIN = 'metadata.properties.pin';
const LAST4 = { type: 'field_mask', config: { paths: [PIN], strategy: 'last4' } };
const pinned = (pin: unknown, more: object = {}) => ({ metadata: { properties: { pin, open: 1, ...more } } });

type Told = Record<string, unknown>;

/** Contributions to partly shown values reveal nothing of the rest (rule 3.20c). */
describe('masked values (rule 3.20c)', () => {
  let world: World;
  let alice: TestUser;

  withAlice((met) => ({ world, alice } = met));

  const lets = (...transformations: object[]): Promise<Client> =>
    letsIn(world, alice, profile(ALL, { transformations }));
  const listed = async (app: Client, id: string, query = '?status=all') => {
    const { body } = await app.get(`/nodes/${id}/contributions${query}`);
    expect(body.total).toBe(body.contributions.length);
    return (body.contributions as Told[]).map(
      ({ version, field_path, contributed_value, status }) =>
        `${String(version)} ${String(field_path)} ${JSON.stringify(contributed_value)} ${String(status)}`,
    );
  };
  const ofPin = async (app: Client, id: string) =>
    (await listed(app, id)).filter((line) => line.includes(PIN)).map((line) => line.replace(`${PIN} `, ''));
  const put = async (client: Client, id: string, body: object) => {
    const answer = await client.put(`/nodes/${id}`, body);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer;
  };

  /** All facts about contributions that an app can read, without ids and times. */
  const everythingShown = async (app: Client, id: string, agent: string) => {
    const answers: unknown[] = [await listed(app, id)];
    for (const status of ['active', 'superseded']) answers.push(await listed(app, id, `?status=${status}`));
    const paths = [
      `/nodes/${id}/contributions?limit=1&offset=1`,
      `/nodes/${id}/ledger`,
      `/agents/${agent}/contributions?status=all`,
      '/analytics/agent-stats',
      '/analytics/history-stats',
      '/sessions',
    ];
    for (const path of paths) {
      const { status, text } = await app.get(path);
      expect(status).toBe(200);
      answers.push(text.replaceAll(/[0-9a-f-]{36}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '*'));
    }
    return answers;
  };

  const guess = { agent_id: '', session_id: 'guesses', confidence_score: 0.5 };
  const value = (text: string) => ({ value: text, ...pinned(1) });
  const redaction = { type: 'pii_redaction', config: { entities: ['email'] } };
  it.each([
    ['its last four characters', LAST4, pinned('99994711'), pinned('88884711'), pinned('88884712')],
    [
      'its beginning',
      { type: 'truncate', config: { field: 'value', max: 5 } },
      value('quiet 1'),
      value('quiet 2'),
      value('loud 2'),
    ],
    [
      'what is redacted',
      redaction,
      value('from a@example.org'),
      value('from b@example.org'),
      value('to b@example.org'),
    ],
    [
      'what is redacted in a list',
      redaction,
      pinned(['a@example.org']),
      pinned(['b@example.org']),
      pinned(['b@example.org', 1]),
    ],
    [
      'what is redacted beside an open part',
      redaction,
      pinned({ 'x.y': 'a@example.org', open: 1 }),
      pinned({ 'x.y': 'b@example.org', open: 1 }),
      pinned({ 'x.y': 'b@example.org', open: 2 }),
    ],
    [
      'an open part of one leaf',
      { type: 'field_mask', config: { paths: ['metadata.properties.pin.*.code'] } },
      pinned({ 'x.y': { code: 1, open: 1 } }),
      pinned({ 'x.y': { code: 2, open: 1 } }),
      pinned({ 'x.y': { code: 2, open: 2 } }),
    ],
  ])(
    'a writer who is shown %s does not learn from contributions if a guess at the rest was right',
    async (_, mask, stored, another, visible) => {
      const told: unknown[] = [];
      for (const written of [stored, another]) {
        alice = await world.user();
        const app = await lets(mask);
        const agent = randomUUID();
        const by = { agent_metadata: { ...guess, agent_id: agent } };
        const { id } = await node(alice, stored);
        const { body } = await put(app, id, { ...written, ...by });
        expect(body.version).toBe(2);
        const first = await everythingShown(app, id, agent);
        await put(app, id, { ...visible, ...by });
        told.push([first, await everythingShown(app, id, agent)]);
        const [shownFirst, shownThen] = (told.at(-1) as string[][][]).map(
          (one) => one[0] as unknown as string[],
        );
        expect(shownThen).toHaveLength((shownFirst?.length ?? 0) + 1);
      }
      expect(told[1]).toEqual(told[0]);
    },
  );

  it.each([
    ['a hash', { type: 'field_mask', config: { paths: [PIN], strategy: 'hash' } }],
    ['a pseudonym', { type: 'pseudonymize', config: { paths: [PIN] } }],
  ])('contributions exist if %s is shown instead and changes, and only then', async (_, mask) => {
    const app = await lets(mask);
    const { id } = await node(alice, pinned('99994711'));
    await put(app, id, pinned('99994711'));
    expect(await ofPin(app, id)).toEqual([expect.stringMatching(/^1 .* active$/)]);
    await put(app, id, pinned('88884711'));
    const [now, before] = await ofPin(app, id);
    expect(now).toMatch(/^2 "\S+" active$/);
    expect(before).toMatch(/^1 "\S+" superseded$/);
    expect(before?.split(' ')[1]).not.toBe(now?.split(' ')[1]);
  });

  it('the owner is shown contributions as they are stored', async () => {
    const app = await lets(LAST4);
    const { id } = await node(alice, pinned('99994711'));
    await put(app, id, pinned('88884711'));
    expect(await ofPin(app, id)).toEqual(['1 "****4711" active']);
    expect(await ofPin(alice, id)).toEqual(['2 "88884711" active', '1 "99994711" superseded']);
  });

  it('contributions do not reveal between two masks if the hidden value was shown meanwhile', async () => {
    const health = await tagId(alice, 'health');
    const app = await lets({ ...LAST4, apply_to: { tag_ids: [health] } });
    const told = [];
    for (const between of ['99994711', '88884711']) {
      const { id } = await node(alice, { ...pinned('99994711'), tags: ['health'] });
      await put(alice, id, { ...pinned(between), tags: ['open'] });
      told.push(await ofPin(app, id));
      await put(alice, id, { tags: ['health'] });
      told.push(await ofPin(app, id));
    }
    expect(told).toEqual([[], ['1 "****4711" active'], [], ['1 "****4711" active']]);
  });

  it('contributions do not reveal if a field that was removed for a while changed meanwhile', async () => {
    const health = await tagId(alice, 'health');
    const config = { paths: [PIN] };
    const app = await lets({ type: 'field_mask', config, apply_to: { tag_ids: [health] } });
    const told = [];
    for (const meanwhile of ['open', 'another']) {
      const { id } = await node(alice, { ...pinned('open'), tags: ['open'] });
      await put(alice, id, { tags: ['health'] });
      await put(alice, id, pinned(meanwhile));
      await put(alice, id, pinned('open'));
      await put(alice, id, { tags: ['open'] });
      told.push(await ofPin(app, id));
    }
    expect(told).toEqual([['1 "open" active'], ['1 "open" active']]);
  });

  it('a hidden write after a reverted one changes no status of a contribution', async () => {
    const app = await lets(LAST4);
    const told = [];
    for (const guessed of ['99994711', '88884711']) {
      const { id } = await node(alice, pinned('99994711'));
      await applied(alice, app, {
        type: 'UPDATE_NODE',
        canonical_data: { node_id: id, changes: pinned('99990000') },
      });
      const proposal = (await alice.get('/proposals')).body.proposals[0].id as string;
      const { body } = await alice.post(`/proposals/${proposal}/revert`);
      expect(body.not_undone).toEqual([]);
      await put(app, id, pinned(guessed));
      told.push(await ofPin(app, id));
    }
    expect(told[0]).toEqual(['2 "****0000" superseded', '1 "****4711" active']);
    expect(told[1]).toEqual(told[0]);
  });

  it('a merge treats contributions as if there were no hidden write', async () => {
    const app = await lets(LAST4);
    const told = [];
    for (const guessed of ['99994711', '88884711']) {
      const target = await node(alice, { title: 'kept' });
      const { id } = await node(alice, pinned('99994711'));
      await put(app, id, pinned(guessed));
      const canonical_data = { target_node_id: target.id, source_node_ids: [id] };
      await applied(alice, app, { type: 'MERGE_NODES', canonical_data });
      told.push(await ofPin(app, target.id as string));
    }
    expect(told).toEqual([['1 "****4711" merged'], ['1 "****4711" merged']]);
  });

  it('contributions are counted correctly over several batches of steps, and over large values', async () => {
    const app = await lets(LAST4, { type: 'truncate', config: { field: 'value', max: 5 } });
    const { id } = await node(alice, { title: 'same', value: 'same', ...pinned('04711') });
    for (let batch = 0; batch < 7; batch++) {
      const nodes = Array.from({ length: 90 }, (_, i) => ({
        title: 'same',
        value: 'same',
        node_type: 'note',
        ...pinned(`${batch * 90 + i}4711`),
      }));
      const { status, text } = await alice.post('/nodes/batch', { nodes, on_duplicate: 'overwrite' });
      if (status >= 300) throw new Error(text);
    }
    expect(await ofPin(app, id)).toEqual(['1 "****4711" active']);
    expect((await alice.get(`/nodes/${id}/contributions?status=superseded`)).body.total).toBe(629);
    for (let i = 0; i < 25; i++) await put(alice, id, { value: `quiet${i}${'x'.repeat(99_000)}` });
    await put(alice, id, pinned('12'));
    expect((await listed(app, id)).filter((line) => /pin|value/.test(line))).toEqual([
      `3 ${PIN} "****" active`,
      '2 value "quiet" active',
      `1 ${PIN} "****4711" superseded`,
      '1 value "same" superseded',
    ]);
  });

  it('each version is read once for all of its fields together', async () => {
    const app = await lets({
      type: 'field_mask',
      config: { paths: ['metadata.properties.*'], strategy: 'last4' },
    });
    const versions = 6;
    const fields = (version: number) => ({
      metadata: {
        properties: Object.fromEntries(
          Array.from({ length: 200 }, (_, i) => [`p${i}`, `${version} ${i} 4711`]),
        ),
      },
    });
    const { id } = await node(alice, fields(0));
    for (let version = 1; version < versions; version++) await put(alice, id, fields(version));
    const database = world.nest.get(Database);
    const original = database.read.bind(database);
    let rowsRead = 0;
    jest.spyOn(database, 'read').mockImplementation(async (statement, name) => {
      if (name === undefined && statement.text.includes('contributions AS c')) {
        const [explained] = await original(sql`EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`);
        rowsRead += rowsOf('changes', (explained as Explained)['QUERY PLAN'][0].Plan);
      }
      return original(statement, name);
    });
    const { status } = await app.get(`/nodes/${id}/contributions?status=all`);
    expect(status).toBe(200);
    jest.restoreAllMocks();
    expect(rowsRead).toBeGreaterThanOrEqual(versions);
    // Two looks for states in each of a few statements, and the two versions of each step.
    expect(rowsRead).toBeLessThanOrEqual(versions * 20);
  });

  it('contributions are shown as of the beginning of the request, during concurrent writes', async () => {
    const app = await lets(LAST4);
    const { id } = await node(alice, pinned('99994711'));
    const database = world.nest.get(Database);
    const original = database.read.bind(database) as (statement: unknown, name?: string) => Promise<unknown>;
    let writes = [pinned('88884711'), { ...pinned('77774711'), title: 'new' }];
    const restore = () => Object.assign(database, { read: original });
    Object.assign(database, {
      read: async (statement: unknown, name?: string) => {
        const [write, ...others] = name === 'contributions-page' ? writes : [];
        if (write) {
          writes = others;
          await put(app, id, write);
        }
        return original(statement, name);
      },
    });
    try {
      const before = ['1 "****4711" active'];
      expect(await ofPin(app, id)).toEqual(before);
      const titles = (await listed(app, id)).filter((line) => line.includes('title'));
      expect(titles).toEqual(['1 title "a node" active']);
      expect(writes).toEqual([]);
      expect(await ofPin(app, id)).toEqual(before);
    } finally {
      restore();
    }
  });
});
