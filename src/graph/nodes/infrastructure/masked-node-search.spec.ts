import { jest } from '@jest/globals';
import { type Database } from '../../../kernel/database/database.js';
import { requestContext } from '../../../kernel/request-context.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type Access, TagVocabulary } from '../../../privacy/index.js';
import { FoundPlaces } from '../../lists/index.js';
import { MaskedNodeSearch } from './masked-node-search.js';
import { type FoundNode } from './node-listing.js';
import { type ShownVersions } from './shown-versions.js';

const FILTER = {} as Parameters<MaskedNodeSearch['countOf']>[1];
const NODE = {
  value: null,
  metadata: null,
  agent_metadata: null,
  tag_ids: [],
  created_at: new Date(0),
  updated_at: new Date(0),
};

/** Nodes of long titles, as the database would return them. */
function longTitles(count: number) {
  const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  // The order of titles is not the order of ids.
  const titled = (n: number) => `${String((n * 7_919) % count).padStart(6, '0')} ${'x'.repeat(900)}`;
  const all = Array.from({ length: count }, (_, n) => n + 1);
  const record = (n: number) => ({ ...NODE, id: id(n), title: titled(n) });
  const read = ({ params }: Sql, name: string): Promise<object[]> => {
    const given = params.find((param) => Array.isArray(param)) as string[] | undefined;
    if (name === 'nodes-as-shown-page')
      return Promise.resolve((given as string[]).map((one) => record(Number(one.slice(-12)))));
    const after = params.find((param) => typeof param === 'string' && /^0{8}-/.test(param)) as string;
    const from = Number(after.slice(-12));
    return Promise.resolve(all.slice(from, from + 200).map(record));
  };
  return { read, sorted: () => all.map(titled).sort() };
}

const SHOWN_WHOLE = {
  exposure: { isIdentity: true, takesTime: false },
  tags: { discover: { allowAll: true } },
  vocabulary: new TagVocabulary([]),
} as unknown as Access;

const ACTOR = { type: 'user', userId: 'alice', appId: null } as const;

describe('masked searches of one caller at a time', () => {
  it('a fourth masked search is refused after ten seconds, by a bound of its own name (rule 3.15e)', async () => {
    jest.useFakeTimers();
    try {
      const ends: (() => void)[] = [];
      const read = () => new Promise<never[]>((resolve) => ends.push(() => resolve([])));
      const search = new MaskedNodeSearch({ read } as unknown as Database, {} as ShownVersions);
      const source = { condition: sql`true`, accessTo: () => ({}) as Access };
      const count = () =>
        requestContext.run({ requestId: 'r', actor: ACTOR, changeReason: null }, () =>
          search.countOf([source], FILTER),
        );
      const begun = [count(), count(), count()];
      const refused = expect(count()).rejects.toMatchObject({
        code: 'TOO_MUCH_UNDER_WAY',
        details: { limit: 'caller', max_masked_searches: 3 },
      });
      await jest.advanceTimersByTimeAsync(10_000);
      await refused;
      expect(ends).toHaveLength(3);
      ends.forEach((end) => end());
      expect(await Promise.all(begun)).toEqual([0, 0, 0]);
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('masked lists of more titles than a question holds', () => {
  const COUNT = 17_000;

  it('a page far into the list is that of the whole list in order', async () => {
    const offset = COUNT - 5;
    const { read, sorted } = longTitles(COUNT);
    const search = new MaskedNodeSearch({ read } as unknown as Database, {} as ShownVersions);
    const listing = { filter: FILTER, sort: 'title', order: 'asc', limit: 10, offset } as const;
    const page = await search.listOf([{ condition: sql`true`, accessTo: () => SHOWN_WHOLE }], listing);
    expect(page.total).toBe(COUNT);
    expect(page.records.map(({ title }) => title)).toEqual(sorted().slice(offset));
  });

  it('the parts of a page of large nodes are found by one look at all nodes, and read half a MiB at a time', async () => {
    const { read, sorted } = longTitles(2_000);
    const asked: string[] = [];
    const counting = (query: Sql, name: string) => (asked.push(name), read(query, name));
    const search = new MaskedNodeSearch({ read: counting } as unknown as Database, {} as ShownVersions);
    const [order, found] = [
      { filter: FILTER, sort: 'title', order: 'asc' } as const,
      new FoundPlaces<FoundNode>(),
    ];
    const titles: string[] = [];
    for (let offset = 0; offset < 1_500; offset = titles.length) {
      const listing = { ...order, limit: 1_500 - offset, offset, found };
      const page = await search.listOf([{ condition: sql`true`, accessTo: () => SHOWN_WHOLE }], listing);
      expect(page.total).toBe(2_000);
      titles.push(...page.records.map(({ title }) => title));
    }
    expect(titles).toEqual(sorted().slice(0, 1_500));
    expect(asked.filter((name) => name === 'nodes-as-shown')).toHaveLength(11);
    expect(asked.filter((name) => name === 'nodes-as-shown-page')).toHaveLength(3);
  });
});
