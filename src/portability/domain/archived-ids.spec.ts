import { jest } from '@jest/globals';
import { isId } from '../../kernel/ids.js';
import { ArchivedIds, importedId } from './archived-ids.js';
import { NameMapping } from './name-mapping.js';
import { RESTORED } from './restored-tables.js';

const OWNER = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';
const NODE = 'aaaaaaaa-0000-4000-8000-00000000000a';
const PROPOSAL = 'bbbbbbbb-0000-4000-8000-00000000000b';
const APP = 'cccccccc-0000-4000-8000-00000000000c';

const table = (name: string) => RESTORED.find((one) => one.table === name) as (typeof RESTORED)[number];

function idsOf(...rows: [table: string, row: Record<string, unknown>][]): ArchivedIds {
  const ids = new ArchivedIds();
  for (const [name, row] of rows) ids.addThoseOf(table(name), row);
  return ids;
}

const namesFor = (owner: string, ids: ArchivedIds): NameMapping =>
  NameMapping.in(owner, [], ids.renamedFor(owner));

describe('ArchivedIds', () => {
  it('the ids of an archive are those of its rows, of what its log is about, and of the proposals that the log names', () => {
    const change = {
      entity: 'tag',
      entity_id: NODE.replace('a', 'd'),
      proposal_id: PROPOSAL,
      changed_by_app_id: APP,
    };
    const ids = idsOf(['nodes', { id: NODE.toUpperCase(), schema_id: APP }], ['changes', change]);
    expect([...ids].sort()).toEqual([NODE, PROPOSAL, change.entity_id].sort());
  });

  it('the ids of an archive do not include schemas of others that nodes or schemas have, until they count as defined', () => {
    const [own, parent, past] = ['a', 'b', 'c'].map((digit) => NODE.replaceAll('a', digit)) as [
      string,
      string,
      string,
    ];
    const ids = idsOf(
      ['schemas', { id: own, extends: parent.toUpperCase() }],
      ['nodes', { id: NODE.replace('a', 'd'), schema_id: own }],
      ['changes', { entity: 'node', entity_id: NODE.replace('a', 'd'), snapshot: { schema_id: past } }],
      ['nodes', { id: OTHER, schema_id: 'none' }],
    );
    expect([...ids.otherSchemas]).toEqual([parent, past]);
    expect(ids.size).toBe(5);
    ids.define([past]);
    expect([[...ids.otherSchemas], ids.has(past), ids.has(parent), ids.size]).toEqual([
      [parent],
      true,
      false,
      5,
    ]);
  });

  it('the ids of an archive are none where a row has no id, or the log leaves out what it is about', () => {
    const omitted = { entity: 'omitted', entity_id: NODE, proposal_id: null };
    expect([
      ...idsOf(['nodes', {}], ['nodes', { id: 5 }], ['tags', { id: 'x' }], ['changes', omitted]),
    ]).toEqual([]);
  });

  it('the ids of an archive are others for each owner, and the same each time', () => {
    const ids = idsOf(['nodes', { id: NODE }]);
    const [one, two] = [ids.renamedFor(OWNER)(NODE), ids.renamedFor(OTHER)(NODE)];
    expect(isId(one) && one !== NODE && one !== two).toBe(true);
    expect(one).toBe(importedId(OWNER, NODE));
    expect(one[14]).toBe('8');
  });
});

describe('NameMapping', () => {
  const names = namesFor(OWNER, idsOf(['nodes', { id: NODE }]));
  const renamed = importedId(OWNER, NODE);

  it.each([
    ['as it is', `{"id":"${NODE}"}`],
    ['in capitals', `{"id":"${NODE.toUpperCase()}"}`],
    ['in escapes', `{"id":"\\u0061\\u0061${NODE.slice(2).replaceAll('-', '\\u002D')}"}`],
  ])('a row of an archive gets the new id for one that it spells %s', async (_, line) => {
    expect(JSON.parse(await names.exchange(line))).toEqual({ id: renamed });
  });

  it('a row of an archive gets the new id in keys and within texts, and keeps ids that the archive does not define', async () => {
    const row = { [NODE]: { at: `see /nodes/${NODE}, by ${APP.toUpperCase()}` } };
    expect(JSON.parse(await names.exchange(JSON.stringify(row)))).toEqual({
      [renamed]: { at: `see /nodes/${renamed}, by ${APP.toUpperCase()}` },
    });
  });

  it('a row of an archive keeps a backslash before what looks like an escape, and every other escape', async () => {
    const text = `\\u0061 \\\\u0061 \u0001 "\n" ${NODE.replace('a', '\\u0061')}`;
    expect(JSON.parse(await names.exchange(JSON.stringify({ text })))).toEqual({ text });
  });

  it('a row of an archive has the importing account in the place of its own', async () => {
    expect(await names.exchange('{"by":"00000000-0000-4000-8000-000000000000"}')).toBe(`{"by":"${OWNER}"}`);
  });

  it('a row of an archive is exchanged alike in one piece and in many, wherever ids and escapes lie', async () => {
    const spelled = `\\u0061\\u0061${NODE.slice(2)}`;
    const carried = `{"uri":"${NODE}"}`;
    const uris = [{ name: 'urn:here', carried_as: 'urn:there' }];
    const withUris = NameMapping.in(OWNER, uris, idsOf(['nodes', { id: NODE }]).renamedFor(OWNER));
    for (const filled of ['0', 'a-', '\\\\', '\\"', 'é', 'x'])
      for (let shift = 0; shift < 48; shift++) {
        const filling = filled.repeat(Math.floor((65_536 - shift) / filled.length) + 1);
        const [before, after] = [`{"a":"${'x'.repeat(shift % 7)}${filling}"`, '"urn:there"}'];
        const between = (...ids: string[]) =>
          `${before},"b":"${ids.join(' ')}","c":"${ids.join('/')}","d":${after}`;
        expect(await withUris.exchange(between(NODE, spelled, carried.slice(8, 44)))).toBe(
          between(renamed, renamed, renamed).replace('urn:there', 'urn:here'),
        );
      }
  });

  it.each(['0', 'a-', '\\u0061', '\\"', '","'])(
    'a row of an archive of many megabytes of %s leaves turns to others while its names are exchanged',
    async (filled) => {
      // The slice of the test before ends with its round of the event loop.
      await new Promise(setImmediate);
      let time = performance.now();
      const clock = jest.spyOn(performance, 'now').mockImplementation(() => (time += 10));
      let turns = 0;
      let beside = setImmediate(function count() {
        turns += 1;
        beside = setImmediate(count);
      });
      try {
        const line = `{"a":"${filled.repeat(2 ** 20)}","by":"${NODE}"}`;
        expect((await names.exchange(line)).endsWith(`"by":"${renamed}"}`)).toBe(true);
        expect(turns).toBeGreaterThan(10);
      } finally {
        clearImmediate(beside);
        clock.mockRestore();
      }
    },
  );
});
