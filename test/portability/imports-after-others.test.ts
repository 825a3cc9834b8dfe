import { jest } from '@jest/globals';
import { UnfinishedImports } from '../../src/portability/application/unfinished-imports.js';
import { miscounted } from '../support/counted.js';
import { onPostgres } from '../support/database.js';
import { codeOf } from '../support/worlds/nodes.js';
import { group } from '../support/worlds/people.js';
import { type TestUser, World } from '../support/world.js';
import {
  compared,
  type Entries,
  exported,
  importedBy,
  imports,
  rowChangesOf,
  rowsOf,
  zipped,
} from './archives.js';

const NOT_EMPTY = [409, 'ACCOUNT_NOT_EMPTY'];
const DONE = [201, undefined];

function expectNoGap(entries: Entries): void {
  const numbers = rowsOf(entries, 'data/changes.ndjson').map(({ sequence }) => sequence);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
}

/** Acts of a stranger on a new account, and what its owner does about them. */
type Before = (owner: TestUser, stranger: TestUser) => Promise<unknown>;

const entriesOf = (entries: Entries): number => rowsOf(entries, 'data/changes.ndjson').length;
const shares = (from: TestUser, to: TestUser) =>
  from.post('/sharing', { shared_with_user_id: to.id, scope: 'all' });
const follows = (who: TestUser, whom: TestUser) => who.post('/follows', { target_user_id: whom.id });
const declines: Before = async (owner, stranger) => {
  const { body } = await follows(stranger, owner);
  await owner.put(`/follows/${body.id}/respond`, { action: 'decline' });
};
const isFollowed: Before = async (owner, stranger) => {
  await owner.patch('/auth/me', { is_public: true });
  return (await follows(stranger, owner)).body.id;
};

const BEFORE: Readonly<Record<string, Before>> = {
  'into which a stranger shares': (owner, stranger) => shares(stranger, owner),
  'that has removed the shares of a stranger': async (owner, stranger) => {
    await shares(stranger, owner);
    await owner.delete(`/sharing/incoming/${stranger.id}`);
  },
  'that has blocked a stranger after a share': async (owner, stranger) => {
    await shares(stranger, owner);
    await owner.put(`/blocked-users/${stranger.id}`, {});
  },
  'into which a blocked stranger shares': async (owner, stranger) => {
    await owner.put(`/blocked-users/${stranger.id}`, {});
    await shares(stranger, owner);
  },
  'that a stranger has asked to follow': (owner, stranger) => follows(stranger, owner),
  'that a blocked stranger has asked to follow': async (owner, stranger) => {
    await owner.put(`/blocked-users/${stranger.id}`, {});
    await follows(stranger, owner);
  },
  'that has declined a follow': declines,
  'that a stranger has invited to a group': async (owner, stranger) =>
    stranger.post(`/groups/${await group(stranger)}/invitations`, { user_id: owner.id }),
  'into which an erased stranger has shared': async (owner, stranger) => {
    await shares(stranger, owner);
    await follows(stranger, owner);
    await stranger.delete('/auth/me', { password: 'correct horse battery' });
  },
  'that has ended the follow of a stranger': async (owner, stranger) => {
    const id = (await isFollowed(owner, stranger)) as string;
    await owner.delete(`/follows/${id}`);
  },
};

describe('imports into accounts to which others have written', () => {
  let world: World;
  let entries: Entries;
  let archive: Buffer;
  beforeAll(async () => {
    world = await World.startHere();
    const alice = await world.user();
    for (const title of ['one', 'two']) await alice.post('/nodes', { title, node_type: 'note', tags: ['t'] });
    const { body } = await alice.get('/nodes');
    await alice.put(`/nodes/${body.nodes[0].id}`, { title: 'three', node_type: 'note' });
    entries = await exported(alice);
    archive = await zipped(entries);
  });
  afterAll(() => world.stop());
  afterEach(async () => expect(await miscounted(world)).toEqual([]));

  const two = async (): Promise<[owner: TestUser, stranger: TestUser]> => [
    await world.user(),
    await world.user(),
  ];
  const total = async (user: TestUser): Promise<number> => (await user.get('/nodes')).body.total as number;

  it.each(Object.entries(BEFORE))('an account %s takes an archive (rule 12.3n)', async (_, before) => {
    const [owner, stranger] = await two();
    await before(owner, stranger);
    expect(codeOf(await imports(owner, archive))).toEqual(DONE);
    expect(await total(owner)).toBe(2);
    expect(codeOf(await imports(owner, archive))).toEqual(NOT_EMPTY);
  });

  it('a share from before an import is in force after it, and ends as any other (rule 12.3n)', async () => {
    const [owner, stranger] = await two();
    const { body } = await stranger.post('/nodes', { title: 'theirs', node_type: 'note' });
    const share = await shares(stranger, owner);
    expect((await imports(owner, archive)).status).toBe(201);
    expect((await owner.get(`/nodes/${body.id}`)).body.title).toBe('theirs');
    expect((await stranger.delete(`/sharing/${share.body.id}`)).status).toBe(200);
    expect((await owner.get(`/nodes/${body.id}`)).status).toBe(404);
  });

  it('a request from before an import can be accepted after it (rule 12.3n)', async () => {
    const [owner, stranger] = await two();
    const { body } = await follows(stranger, owner);
    expect((await imports(owner, archive)).status).toBe(201);
    const accepted = await owner.put(`/follows/${body.id}/respond`, {
      action: 'accept',
      share: { scope: 'all' },
    });
    expect(accepted.status).toBe(200);
    expect((await stranger.get('/nodes')).body.total).toBe(2);
  });

  it.each<[string, Before]>([
    ['that somebody follows', isFollowed],
    [
      'whose owner shares the graph',
      async (owner, stranger) => owner.delete(`/sharing/${(await shares(owner, stranger)).body.id}`),
    ],
    ['whose owner has written a node', (owner) => owner.post('/nodes', { title: 'own', node_type: 'note' })],
  ])('an account %s is not empty (rule 12.3n)', async (_, before) => {
    const [owner, stranger] = await two();
    await shares(stranger, owner);
    await before(owner, stranger);
    expect(codeOf(await imports(owner, archive))).toEqual(NOT_EMPTY);
  });

  /** The export of the owner if the archive came behind this number of entries of others. */
  function behind(owner: TestUser, count: number): [string, string][] {
    const moved = new Map(entries);
    for (const name of ['data/changes.ndjson', 'data/contributions.ndjson']) {
      const text = entries.get(name)?.toString('utf8') ?? '';
      const numbered = text.replace(
        /"sequence":(\d+)/g,
        (_, number) => `"sequence":${Number(number) + count}`,
      );
      moved.set(name, Buffer.from(numbered));
    }
    return compared(importedBy(owner, moved));
  }
  const withoutOmitted = (all: Entries): [string, string][] =>
    compared(all).map(([name, text]) => [
      name,
      text
        .split('\n')
        .filter((line) => !line.includes('"omitted"'))
        .join('\n'),
    ]);

  it('an export after it is the archive behind the entries of others, and can be imported (rule 12.3n)', async () => {
    const [owner, stranger] = await two();
    await shares(stranger, owner);
    await declines(owner, stranger);
    expect((await imports(owner, archive)).status).toBe(201);
    const again = await exported(owner);
    expect(withoutOmitted(again)).toEqual(behind(owner, 3));
    const other = await world.user();
    await shares(stranger, other);
    expect(codeOf(await imports(other, await zipped(again)))).toEqual(DONE);
    expect(withoutOmitted(await exported(other)).map(([name]) => name)).toEqual(
      compared(entries).map(([name]) => name),
    );
    expect((await other.get('/sync/status')).body.total_versions).toBe(entriesOf(again) + 1);
  });

  it('a cursor from before an import brings all of it, once (rule 12.3n)', async () => {
    const [owner, stranger] = await two();
    for (let count = 0; count < 5; count++) await shares(stranger, owner);
    const before = (await owner.get('/sync')).body;
    expect((await imports(owner, archive)).status).toBe(201);
    const pull = async (cursor: string) => (await owner.get(`/sync?cursor=${cursor}`)).body;
    const pulled = await pull(before.cursor);
    expect(pulled.changes.length).toBe(2);
    expect((await pull(pulled.cursor)).changes).toEqual([]);
  });

  it('a refused import leaves the entries of others, and the next one succeeds (rule 12.3n)', async () => {
    const [owner, stranger] = await two();
    const share = await shares(stranger, owner);
    const wrong = await rowChangesOf(entries)('nodes', (row) => (row.title = 'another than the log says'));
    expect(codeOf(await imports(owner, wrong))).toEqual([400, 'INVALID_ARCHIVE']);
    expect((await owner.get('/sync/status')).body.total_versions).toBe(1);
    expect((await stranger.put(`/sharing/${share.body.id}`, { can_write: true })).status).toBe(200);
    expect((await owner.get('/sync/status')).body.total_versions).toBe(2);
    expect(codeOf(await imports(owner, archive))).toEqual(DONE);
    const after = await exported(owner);
    expect(withoutOmitted(after)).toEqual(behind(owner, 2));
    expectNoGap(after);
  });

  it('an archive whose times fall is refused (rule 7.7)', async () => {
    const late = await rowChangesOf(entries)('changes', (row) => (row.changed_at = '2999-01-01T00:00:00Z'));
    expect(codeOf(await imports(await world.user(), late))).toEqual([400, 'INVALID_ARCHIVE']);
  });

  it('acts of others at any moment of an import are neither refused nor lost (rule 12.3n)', async () => {
    for (let round = 0; round < 4; round++) {
      const [owner, stranger] = await two();
      const [sharing, changing, asking, other] = [
        await world.user(),
        await world.user(),
        await world.user(),
        await world.user(),
      ];
      const ends = await shares(sharing, owner);
      const changes = await shares(changing, owner);
      const asked = await follows(asking, owner);
      let isOver = false;
      const importing = imports(owner, archive).finally(() => (isOver = true));
      const acts: number[] = [];
      const begun: number[] = [];
      for (let can_write = true; !isOver; can_write = !can_write) {
        acts.push((await changing.put(`/sharing/${changes.body.id}`, { can_write })).status);
        if (acts.length === round + 1) {
          acts.push((await sharing.delete(`/sharing/${ends.body.id}`)).status);
          acts.push((await asking.delete(`/follows/${asked.body.id}`)).status);
          begun.push((await shares(stranger, owner)).status, (await follows(other, owner)).status);
        }
      }
      expect(codeOf(await importing)).toEqual(DONE);
      expect(acts.filter((status) => status !== 200)).toEqual([]);
      expect(begun.filter((status) => status !== 201 && status !== 503)).toEqual([]);
      expect(await total(owner)).toBe(2);
      expectNoGap(await exported(owner));
      const incoming = (await owner.get('/sharing/incoming')).body.shares as { id: string }[];
      expect(incoming.map(({ id }) => id)).not.toContain(ends.body.id);
      expect((await shares(sharing, owner)).status).toBe(201);
    }
  });

  it('an import begins behind acts under way, and later acts leave its log alone (rule 12.3n)', async () => {
    const [owner, stranger] = await two();
    const share = await shares(stranger, owner);
    const unfinished = world.nest.get(UnfinishedImports);
    const begin = unfinished.begin.bind(unfinished);
    jest.spyOn(unfinished, 'begin').mockImplementationOnce(async (id) => {
      await begin(id);
      expect((await stranger.put(`/sharing/${share.body.id}`, { can_write: true })).status).toBe(200);
    });
    const answer = await imports(owner, archive);
    jest.restoreAllMocks();
    expect(codeOf(answer)).toEqual(DONE);
    // Embedded imports have no moment in which the mark can be removed.
    expect((await owner.get('/sync/status')).body.total_versions).toBe(
      entriesOf(entries) + (onPostgres ? 2 : 1),
    );
  });
});
