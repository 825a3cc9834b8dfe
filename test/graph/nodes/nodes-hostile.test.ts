import { tagNameKey, typeFault } from '../../../src/privacy/index.js';
import { Chance, seedOf } from '../../properties/random.js';
import { onPostgres } from '../../support/database.js';
import { asHeader, hostileString, isStorable } from '../../support/hostile-strings.js';
import { type TestUser, World } from '../../support/world.js';
import { node } from '../../support/worlds/nodes.js';

/** The slower database gets a sample. */
const STRINGS = Number(process.env['STRINGS'] ?? (onPostgres ? 900 : 600));

describe('parameters', () => {
  let world: World;
  let alice: TestUser;
  let existing: { id: string };

  beforeAll(async () => {
    world = await World.start();
    alice = await world.user();
    existing = await node(alice, { title: 'quiet', value: 'water', tags: ['still'] });
  });
  afterAll(() => world.stop());

  it(`hostile strings in parameters of nodes are taken literally or refused, ${STRINGS} of them through every string parameter`, async () => {
    const chance = new Chance(seedOf('hostile strings in nodes'));
    let total = 1;
    for (let i = 0; i < STRINGS; i++) {
      const text = hostileString(chance, 300);
      const encoded = encodeURIComponent(text.toWellFormed());
      const where = i % 8;
      if (where === 0) total += await asFields(text);
      else if (where === 1) await asSearch(text.toWellFormed());
      else if (where === 2) await answers(alice.get(`/nodes/x${encoded}`), [404]);
      else if (where === 3) await asFilter(encoded, total);
      else if (where === 4) total += await asTag(text);
      else if (where === 5) await asIds(text);
      else if (where === 6) total += await asBatchItem(text);
      else await asPatch(text);
    }
    expect((await alice.get('/nodes?limit=1')).body.total).toBe(total);
    expect((await alice.get(`/nodes/${existing.id}`)).body).toMatchObject({ tags: ['still'] });
  }, 600_000);

  async function answers(sent: ReturnType<TestUser['get']>, allowed: number[]) {
    const answer = await sent;
    if (!allowed.includes(answer.status)) throw new Error(`${answer.status} ${answer.text}`);
    return answer;
  }

  async function asFields(text: string): Promise<number> {
    const typed = { title: 'typed', node_type: text };
    if (typeFault(text) !== null) await answers(alice.post('/nodes', typed), [400]);
    const node_type = typeFault(text) === null ? text : 'sound';
    const body = { title: text, value: text, node_type, metadata: { [text]: text, list: [text] } };
    const { status, body: made } = await answers(alice.post('/nodes', body), [201, 400]);
    if (status === 400) return expectRefusable(text);
    expect(made).toMatchObject({ title: text, value: text, node_type });
    expect((await alice.get(`/nodes/${made.id}`)).body).toMatchObject(body);
    const found = await alice.get(`/nodes?limit=100&node_type=${encodeURIComponent(node_type)}`);
    expect(found.body.nodes.map(({ id }: { id: string }) => id)).toContain(made.id);
    return 1;
  }

  async function asSearch(text: string): Promise<void> {
    const title = [...`x ${text} y`].slice(0, 200).join('');
    const { status, body: made } = await answers(
      alice.post('/nodes', { title, node_type: 'sought' }),
      [201, 400],
    );
    const { body, status: searched } = await answers(
      alice.get(`/nodes?node_type=sought&search=${encodeURIComponent(title)}`),
      [200, 400],
    );
    if (status === 400) {
      expectRefusable(title);
      return;
    }
    if (searched === 200) expect(body.nodes.map(({ id }: { id: string }) => id)).toContain(made.id);
    await answers(alice.delete(`/nodes/${made.id}`), [204]);
  }

  async function asFilter(encoded: string, total: number): Promise<void> {
    const allowed = [200, 400];
    for (const name of [
      'tag_id',
      'access',
      'sort',
      'order',
      'view',
      'meaning_level',
      'limit',
      'include_tags',
    ]) {
      const { status, body } = await answers(alice.get(`/nodes?${name}=${encoded}`), allowed);
      if (status === 200) expect(body.total).toBe(name === 'tag_id' ? 0 : total);
    }
    await answers(alice.get(`/nodes/count?tag_ids=${encoded}&schema_ids=${encoded}`), allowed);
  }

  async function asTag(text: string): Promise<number> {
    const { status, body } = await answers(
      alice.post('/nodes', { title: 'tagged', node_type: 'n', tags: [text] }),
      [201, 400],
    );
    if (status === 201) expect(body.tags.map(tagNameKey)).toEqual([tagNameKey(text)]);
    return status === 201 ? 1 : 0;
  }

  async function asIds(text: string): Promise<void> {
    const { status, body } = await answers(
      alice.post('/nodes/bulk-delete', { node_ids: [text] }),
      [200, 400],
    );
    if (status === 200)
      expect(body).toMatchObject({ deleted: 0, errors: [{ node_id: text, code: 'NODE_NOT_FOUND' }] });
    await answers(alice.post(`/nodes/${existing.id}/tags`, { tag_id: text }), [400, 404]);
    await answers(
      alice.delete(`/nodes/${existing.id}/tags/x${encodeURIComponent(text.toWellFormed())}`),
      [404],
    );
    await answers(alice.put(`/nodes/${existing.id}`, { schema_id: text }), [400]);
    await answers(alice.put(`/nodes/${existing.id}`, { last_modified_by_agent_id: text }), [400]);
    await answers(
      alice.put(`/nodes/${existing.id}`, {}, { headers: { 'If-Match': asHeader(text) || 'x' } }),
      [200, 412],
    );
    await answers(alice.put(`/nodes/${existing.id}`, { change_reason: text }), [200, 400]);
  }

  async function asBatchItem(text: string): Promise<number> {
    const nodes = [
      { title: text, node_type: 'n' },
      { title: text, node_type: 'n' },
    ];
    const { status, body } = await answers(
      alice.post('/nodes/batch', { nodes, on_duplicate: 'skip' }),
      [200, 201, 400],
    );
    if (status === 400) return expectRefusable(text);
    if (body.summary.errors === 0) expect(body.skipped.length).toBeGreaterThanOrEqual(1);
    return body.summary.created as number;
  }

  async function asPatch(text: string): Promise<void> {
    const { status, body } = await answers(
      alice.patch(`/nodes/${existing.id}`, { value: text, agent_metadata: { agent_name: text } }),
      [200, 400],
    );
    if (status === 200) expect(body).toMatchObject({ value: text, agent_metadata: { agent_name: text } });
    else expectRefusable(text);
  }

  function expectRefusable(text: string): number {
    const impossible = !isStorable(text) || ['__proto__', 'constructor', 'prototype'].includes(text);
    if (!impossible && text !== '' && text.length <= 255) throw new Error(`refused: ${JSON.stringify(text)}`);
    return 0;
  }
});
