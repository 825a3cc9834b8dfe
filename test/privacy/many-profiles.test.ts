import { Database } from '../../src/kernel/database/database.js';
import { type TestUser, World } from '../support/world.js';

/** Rows that one statement may load with rules of profiles: each has up to 256 KiB. */
const PAGE = 10;

describe('profiles in pages', () => {
  let world: World;
  let alice: TestUser;
  /** The rows of each statement that reads profiles. */
  let loaded: number[];
  beforeAll(async () => {
    world = await World.startHere();
    watch(world.nest.get(Database));
  });
  beforeEach(async () => {
    alice = await world.user();
    loaded = [];
  });
  afterAll(() => world.stop());

  function watch(database: Database): void {
    const read = database.read.bind(database);
    database.read = async (statement: never, name?: string) => {
      const rows = await read<object>(statement, name);
      if (rows.some((row) => 'rules' in row || 'excludes' in row)) loaded.push(rows.length);
      return rows as never;
    };
    const repository = database.repository.bind(database);
    database.repository = async (entity: never) => {
      const stored = await repository<object>(entity);
      const find = async (options: never) => {
        const rows = await stored.find(options);
        loaded.push(rows.length);
        return rows;
      };
      const findOneBy = async (where: never) => {
        loaded.push(1);
        return stored.findOneBy(where);
      };
      return Object.assign(Object.create(stored), { find, findOneBy });
    };
  }

  const made = async (count: number, rules: object): Promise<{ id: string; name: string }[]> => {
    const profiles = [];
    for (let number = 0; number < count; number++) {
      const body = { name: `profile ${String(number).padStart(2, '0')}`, ...rules };
      profiles.push((await alice.post('/exposure-profiles', body)).body);
    }
    return profiles;
  };

  it('requests preview an app in pages, and show all of them, oldest first', async () => {
    const profiles = await made(25, { tag_permissions: { read: { tag_ids: [], allow_all: true } } });
    const app = await world.app({ requested: { tags: { read: true, edit: true } } });
    loaded = [];
    const { status, body } = await alice.get(`/authorizations/preview?app_id=${app.id}`);
    expect(status).toBe(200);
    const own = body.profiles.filter(({ name }: { name: string }) => name.startsWith('profile'));
    expect(own.map(({ id }: { id: string }) => id)).toEqual(profiles.map(({ id }) => id));
    expect(own[24]).toMatchObject({ is_default: false, satisfies: false, missing: ['tags.edit'] });
    expect(loaded.length).toBeGreaterThan(2);
    expect(Math.max(...loaded)).toBeLessThanOrEqual(PAGE);
  });

  it('requests that look at all profiles of a person load for the rename of a tag only profiles that exclude it by its name (rule 3.11)', async () => {
    const { body: other } = await alice.post('/tags', { name: 'other' });
    await made(24, { tag_filters: { exclude_any: ['other'], include_all: ['other'] } });
    const body = { name: 'by name', tag_filters: { exclude_any: ['later'] } };
    const { body: named } = await alice.post('/exposure-profiles', body);
    const { body: later } = await alice.post('/tags', { name: 'later' });
    loaded = [];
    expect((await alice.put(`/tags/${other.id}`, { name: 'another' })).status).toBe(200);
    // The page of excludes that go by name: not one of them is loaded whole.
    expect(loaded).toEqual([1]);
    loaded = [];
    expect((await alice.put(`/tags/${later.id}`, { name: 'soon' })).status).toBe(200);
    expect(loaded).toEqual([1, 1]);
    const { body: kept } = await alice.get(`/exposure-profiles/${named.id}`);
    expect(kept.tag_filters.exclude_any.sort()).toEqual(['later', 'soon']);
  });

  it('requests that look at all profiles of a person bind the excludes of all profiles, of several pages, when a tag is renamed (rule 3.11)', async () => {
    const profiles = await made(23, { tag_filters: { exclude_any: ['later'] } });
    const { body: later } = await alice.post('/tags', { name: 'later' });
    expect((await alice.put(`/tags/${later.id}`, { name: 'soon' })).status).toBe(200);
    for (const { id } of profiles) {
      const { body } = await alice.get(`/exposure-profiles/${id}`);
      expect(body.tag_filters.exclude_any.sort()).toEqual(['later', 'soon']);
    }
    expect(Math.max(...loaded)).toBeLessThanOrEqual(PAGE);
  });
});
