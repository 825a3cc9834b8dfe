import { jest } from '@jest/globals';
import { Config } from '../../config/config.js';
import { newBuffer } from '../change-log/change-buffer.js';
import { ChangeFollowers } from '../change-log/change-followers.js';
import { Clock } from '../clock.js';
import { type LazyTransaction } from '../database/lazy-transaction.js';
import { SYSTEM_ACTOR } from '../request-context.js';
import { BatchedChangeSink } from './batched-change-sink.js';

const OWNER = '0190b0e0-0000-7000-8000-000000000000';

describe('the sink of batched changes', () => {
  afterEach(() => jest.restoreAllMocks());

  it('serves others while the rows of followers of several changes are serialized', async () => {
    let turns = 0;
    const seenAt: number[] = [];
    const row = (index: number) => ({ index, toJSON: () => (seenAt.push(turns), { index }) });
    const followers = new ChangeFollowers();
    followers.register({
      follow: () => ({
        name: 'rows',
        statement: 'SELECT $payload',
        payload: { rows: Array.from({ length: 10 }, (_, index) => row(index)), none: [], named: { a: 1 } },
      }),
    });
    followers.register({
      follow: () => ({ name: 'list', statement: 'SELECT $payload', payload: [{ b: 2 }] }),
    });
    const sent: unknown[] = [];
    const transaction: Partial<LazyTransaction> = {
      takeDeferred: () => [],
      sendLast: (statements) => {
        sent.push(...statements.flatMap(({ values }) => values));
        return Promise.resolve([]);
      },
    };
    const buffer = newBuffer();
    for (const entityId of ['a', 'b'])
      buffer.add(
        { ownerId: OWNER, entity: 'thing', entityId, action: 'created', version: 1, snapshot: {} },
        SYSTEM_ACTOR,
      );
    let time = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => (time += 10));
    let beside = setImmediate(function count() {
      turns += 1;
      beside = setImmediate(count);
    });
    try {
      await new BatchedChangeSink(new Clock(), followers, new Config({})).flush({
        transaction: transaction as LazyTransaction,
        buffer,
      });
    } finally {
      clearImmediate(beside);
    }
    const rows = Array.from({ length: 10 }, (_, index) => ({ index }));
    expect(sent).toEqual(
      expect.arrayContaining([JSON.stringify({ rows, none: [], named: { a: 1 } }), '[{"b":2}]']),
    );
    expect((seenAt.at(-1) ?? 0) - (seenAt[0] ?? 0)).toBeGreaterThan(5);
  });
});
