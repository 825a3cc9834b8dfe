import { jest } from '@jest/globals';
import { type Database } from '../../../kernel/database/database.js';
import { requestContext } from '../../../kernel/request-context.js';
import { sql } from '../../../kernel/database/sql.js';
import { type Access } from '../../../privacy/index.js';
import { MaskedNodeSearch } from './masked-node-search.js';
import { type ShownVersions } from './shown-versions.js';

const FILTER = {} as Parameters<MaskedNodeSearch['countOf']>[1];
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
