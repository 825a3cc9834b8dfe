import { jest } from '@jest/globals';
import { Slices } from '../../src/kernel/slices.js';
import { codeOf, node } from '../support/worlds/nodes.js';
import { World } from '../support/world.js';
import { compared, type Entries, exported, importedBy, imports, rowsOf, zipped } from './archives.js';

const CHANGES = 'data/changes.ndjson';
const KIB = 1024;
const LIST = 30_000;

describe('memory', () => {
  let world: World;
  let archive: Entries;

  beforeAll(async () => {
    world = await World.startHere();
    const alice = await world.user();
    const large = (start: number) => ({
      metadata: { properties: { list: Array.from({ length: LIST }, (_, n) => start + n) } },
    });
    const { id } = await node(alice, { title: 'a', ...large(100_000) });
    for (const start of [200_000, 300_000])
      expect((await alice.put(`/nodes/${id}`, large(start))).status).toBe(200);
    archive = await exported(alice);
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());

  it('a long row of an archive with values that the API accepted comes back as it was, and is checked in steps (rule 12.3m)', async () => {
    const bob = await world.user();
    const bytes = await zipped(archive);
    let steps = 0;
    const { run } = Slices.prototype;
    jest.spyOn(Slices.prototype, 'run').mockImplementation(function (this: Slices, work) {
      const next = () => {
        steps++;
        return work.next();
      };
      return run.call(this, { next });
    });
    expect((await imports(bob, bytes)).status).toBe(201);
    jest.restoreAllMocks();
    // The log holds the list seven times: three versions, and old and new of two changes.
    expect(steps).toBeGreaterThan((7 * LIST) / 32);
    expect(compared(await exported(bob))).toEqual(compared(importedBy(bob, archive)));
  });

  const many = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`f${n}`, { old: null, new: n }]));
  it.each([
    [
      'a larger value in changed_fields',
      { changed_fields: { x: { old: null, new: 'x'.repeat(513 * KIB) } } },
      'changed_fields.x must have at most 524288 bytes',
    ],
    ['more fields', { changed_fields: many }, 'changed_fields must have at most 100 fields'],
  ])(
    'a long row of an archive with %s than the API stores is refused with its number (rule 12.3m)',
    async (_, wrong, fault) => {
      const rows = rowsOf(archive, CHANGES);
      const at = rows.findIndex(({ action }) => action === 'updated');
      rows[at] = { ...rows[at], ...wrong };
      const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
      const answer = await imports(
        await world.user(),
        await zipped(new Map(archive).set(CHANGES, Buffer.from(text))),
      );
      expect(codeOf(answer)).toEqual([400, 'INVALID_ARCHIVE']);
      expect(answer.text).toContain(`${CHANGES}:${at + 1}`);
      expect(answer.text).toContain(fault);
    },
  );
});
