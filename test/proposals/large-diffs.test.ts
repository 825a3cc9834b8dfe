import { jest } from '@jest/globals';
import { OwnerEdits } from '../../src/graph/index.js';
import { type Client } from '../support/client.js';
import { codeOf, node } from '../support/worlds/nodes.js';
import { proposed, ready } from '../support/worlds/proposals.js';
import { type TestUser, type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

type Body = Record<string, unknown>;
interface Entry {
  action_id: string;
  entity_id: string | null;
  title: string | null;
  values_omitted: boolean;
  fields: { field: string; before?: unknown; after?: unknown; conflict: boolean }[];
}

/** The limit of an answer: the values of entries until they reach 4 MiB, and the names of the others. */
const MOST_BYTES = 5 * 1024 * 1024;
const COUNT = 20;

describe('the diff of a proposal about large nodes', () => {
  let world: World;
  let alice: TestUser;
  let app: Client;
  let ids: string[];

  withWorld((met) => (world = met));
  beforeAll(async () => {
    alice = await world.user();
    app = await alice.lets(await world.app());
    ids = [];
    for (const from of [0, COUNT / 2]) {
      const nodes = Array.from({ length: COUNT / 2 }, (_, index) => large(from + index));
      const { body } = await alice.post('/nodes/batch', { nodes });
      ids.push(...(body.created as { id: string }[]).map(({ id }) => id));
    }
  });
  afterEach(() => jest.restoreAllMocks());

  const large = (number: number): Body => ({
    title: `large ${number}`,
    value: `sail ${'v'.repeat(98_000)}${number === COUNT - 1 ? '\u202E' : ''}`,
    node_type: 'note',
    metadata: { text: 'm'.repeat(250_000) },
    tags: ['large'],
  });
  const deletions = (last: readonly Body[] = []): Body => ({
    type: 'BATCH',
    actions: [
      ...ids.map((node_id, index) => ({ id: `${index}`, type: 'DELETE_NODE', payload: { node_id } })),
      ...last,
    ],
  });
  async function diff(id: string, query = '', viewer: Client = alice) {
    const { status, body, text } = await viewer.get(`/proposals/${id}/diff${query}`);
    expect(status).toBe(200);
    const entries = body.entries as Entry[];
    return { body, entries, bytes: Buffer.byteLength(text) };
  }

  it('an answer is bounded in bytes, and every value that it omits can be requested by action (rule 8.10b)', async () => {
    const { id } = await proposed(app, deletions());
    for (const viewer of [alice, app]) {
      const { entries, bytes } = await diff(id, '', viewer);
      expect(bytes).toBeLessThan(MOST_BYTES);
      expect(entries.map(({ entity_id }) => entity_id)).toEqual(ids);
      const omitted = entries.filter(({ values_omitted }) => values_omitted);
      expect(omitted).toEqual(entries.slice(-omitted.length));
      expect(omitted.length).toBeLessThan(COUNT - 5);
      expect(omitted.length).toBeGreaterThan(5);
      for (const { action_id, title, fields } of omitted) {
        expect(title).toBe(`large ${action_id}`);
        expect(fields).toContainEqual({ field: 'value', conflict: false });
        const { entries: whole, bytes } = await diff(id, `?action_id=${action_id}`, viewer);
        expect(bytes).toBeLessThan(MOST_BYTES);
        expect(whole).toMatchObject([{ action_id, title, values_omitted: false }]);
        expect(whole[0]?.fields).toContainEqual(
          expect.objectContaining({ field: 'value', before: large(Number(action_id))['value'] }),
        );
      }
    }
  });

  it('warnings, conflicts, tags and disclosures cover the entries whose values are omitted', async () => {
    const other = (await node(alice, { tags: ['large'] })).id as string;
    const tagged = { id: 'tags', type: 'ADD_TAGS', payload: { node_id: other, tags: ['l\u0430rge'] } };
    const { id } = await proposed(app, deletions([tagged]));
    const last = ids.at(-1) as string;
    expect((await alice.patch(`/nodes/${last}`, { node_type: 'letter' })).status).toBe(200);
    const { body, entries } = await diff(id);
    expect(entries[COUNT - 1]).toMatchObject({ entity_id: last, values_omitted: true });
    expect(entries[COUNT - 1]?.fields).toContainEqual({ field: 'node_type', conflict: true });
    expect(body.conflicts).toBe(1);
    expect(body.warnings).toContainEqual({
      path: `entries.${COUNT - 1}.fields.1.before`,
      characters: ['U+202E RIGHT-TO-LEFT OVERRIDE'],
    });
    expect(body.confusable_tags).toEqual([{ name: 'l\u0430rge', confusable_with: 'large' }]);
    expect(body.disclosures).toHaveLength(1);
  });

  it('every node of a large merge can be requested by its id', async () => {
    const [target, ...sources] = ids;
    const payload = { target_node_id: target, source_node_ids: sources };
    const { id } = await proposed(app, { type: 'MERGE_NODES', canonical_data: payload });
    const { entries, bytes } = await diff(id, '?action_id=action-1');
    expect(bytes).toBeLessThan(MOST_BYTES);
    expect(entries.map(({ entity_id }) => entity_id)).toEqual(ids);
    expect(entries.at(-1)?.values_omitted).toBe(true);
    const last = await diff(id, `?action_id=action-1&entity_id=${ids.at(-1)?.toUpperCase()}`);
    expect(last.entries).toMatchObject([{ entity_id: ids.at(-1), values_omitted: false }]);
    expect(last.entries[0]?.fields.find(({ field }) => field === 'value')?.before).toContain('sail');
  });

  it('the diff of a proposal loads at most ten nodes at a time', async () => {
    const { id } = await proposed(app, deletions());
    const look = jest.spyOn(OwnerEdits.prototype, 'look');
    await diff(id, '', app);
    const counts = look.mock.calls.map(([, loaded]) => new Set(loaded).size);
    expect(Math.max(...counts)).toBeLessThanOrEqual(10);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(COUNT);
    look.mockClear();
    await diff(id, '?action_id=3', app);
    expect(look.mock.calls.map(([, loaded]) => loaded)).toEqual([[ids[3]]]);
  });

  it('an action that the proposal does not have is refused', async () => {
    const { id } = await proposed(app, deletions());
    expect(codeOf(await alice.get(`/proposals/${id}/diff?action_id=none`))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });

  it('the diff of one action does not count as the review of a revised proposal (rule 8.6b)', async () => {
    const { id } = await proposed(app, deletions());
    await diff(id);
    await ready(app, id, { actions: (deletions()['actions'] as Body[]).slice(0, 2) });
    await diff(id, '?action_id=0');
    await diff(id, `?entity_id=${ids[0]}`);
    const approve = () => alice.post(`/proposals/${id}/approve`, {});
    expect(codeOf(await approve())).toEqual([409, 'REVISION_CONFLICT']);
    await diff(id);
    expect((await approve()).status).toBe(200);
  });
});
