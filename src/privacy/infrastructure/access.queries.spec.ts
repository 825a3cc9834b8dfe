import { type Database } from '../../kernel/database/database.js';
import { openTransaction, type Transaction } from '../../kernel/database/transaction.js';
import { AccessQueries } from './access.queries.js';

const OWNER = 'owner';
const POLICY = { authorizationId: 'a', approved: {}, expiresAt: null, isActive: true, rules: {} };
const pairOf = (appId: string) => ({ ownerId: OWNER, appId });

/** Queries on a database that counts the reads that bring tags. */
function counting({ hasPolicy = true } = {}): { queries: AccessQueries; loads: () => number } {
  let loads = 0;
  const read = ({ text }: { text: string }, name: string): Promise<unknown[]> => {
    if (text.includes('json_agg')) loads += 1;
    const row = { ...POLICY, tags: text.includes('json_agg') ? [['t', 'work', false]] : null };
    return Promise.resolve(name === 'access-policy' && !hasPolicy ? [] : [row]);
  };
  return { queries: new AccessQueries({ read } as unknown as Database), loads: () => loads };
}

describe('AccessQueries', () => {
  it('concurrent requests with one policy version load the tags of an owner once', async () => {
    const { queries, loads } = counting();
    const found = await Promise.all([
      ...Array.from({ length: 20 }, () => queries.vocabulary(OWNER, 1)),
      ...Array.from({ length: 20 }, (_, i) => queries.policy(pairOf(`app ${i}`), null, 1)),
    ]);
    expect(found).toHaveLength(40);
    expect(found.every((one) => one !== null)).toBe(true);
    expect(loads()).toBe(1);
    await queries.vocabulary(OWNER, 1);
    expect(loads()).toBe(2);
  });

  it('concurrent decisions about several apps share the tags that the first one loads', async () => {
    const { queries, loads } = counting();
    const decided = Array.from({ length: 20 }, (_, i) => queries.policy(pairOf(`app ${i}`), null, 1));
    const vocabularies = (await Promise.all(decided)).map((found) => found?.vocabulary.nameOf('t'));
    expect(new Set(vocabularies)).toEqual(new Set(['work']));
    expect(loads()).toBe(1);
  });

  it('loads for another policy version or within a transaction are not shared', async () => {
    const { queries, loads } = counting();
    await Promise.all([queries.vocabulary(OWNER, 1), queries.vocabulary(OWNER, 2)]);
    expect(loads()).toBe(2);
    const within = () =>
      openTransaction.run({ transaction: {} as Transaction }, () => queries.vocabulary(OWNER, 3));
    await Promise.all([within(), within(), queries.vocabulary(OWNER, 3)]);
    expect(loads()).toBe(5);
  });

  it('requests beside an app without an authorization load the tags for themselves', async () => {
    const { queries, loads } = counting({ hasPolicy: false });
    const [none, ...vocabularies] = await Promise.all([
      queries.policy(pairOf('stranger'), null, 1),
      ...Array.from({ length: 5 }, () => queries.vocabulary(OWNER, 1)),
    ]);
    expect(none).toBeNull();
    expect(vocabularies.map((one) => one.nameOf('t'))).toEqual(Array(5).fill('work'));
    expect(loads()).toBe(2);
  });
});
