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

  it('a unit that changes the logs of 1,200 people sends a few statements, one for some hundred of them', async () => {
    const sent: { values?: unknown[] }[] = [];
    const transaction: Partial<LazyTransaction> = {
      takeDeferred: () => [],
      sendLast: (statements) => {
        sent.push(...statements);
        return Promise.resolve([]);
      },
    };
    const buffer = newBuffer();
    const owners = Array.from(
      { length: 1_200 },
      (_, index) => OWNER.slice(0, -4) + String(index).padStart(4, '0'),
    );
    for (const ownerId of owners) {
      const change = {
        ownerId,
        entity: 'share',
        entityId: OWNER,
        action: 'revoked',
        version: 2,
        snapshot: {},
      };
      buffer.add(change, SYSTEM_ACTOR);
      buffer.policies.add(ownerId);
    }
    await new BatchedChangeSink(new Clock(), new ChangeFollowers(), new Config({})).flush({
      transaction: transaction as LazyTransaction,
      buffer,
    });
    const rows = sent.map(({ values }) => JSON.parse(String(values?.[0])) as { owner: string }[]);
    expect(rows.map(({ length }) => length)).toEqual([500, 500, 200]);
    expect(rows.flat().map(({ owner }) => owner)).toEqual(owners);
  });
});
