import { describe, expect, it } from '@jest/globals';
import { ConnectionShares } from './connection-shares.js';

const HOUR = 3_600_000;

/** Reads that end on demand. */
class Reads {
  readonly begun: string[] = [];
  private readonly ends = new Map<string, () => void>();

  constructor(private readonly shares: ConnectionShares) {}

  begin(caller: string, name: string): Promise<string> {
    return this.shares.run(caller, () => {
      this.begun.push(name);
      return new Promise((resolve) => this.ends.set(name, () => resolve(name)));
    });
  }

  end(name: string): void {
    this.ends.get(name)?.();
  }
}

describe('connection shares', () => {
  it('let a caller’s reads begin in their order as places come free, and those of others at once', async () => {
    const reads = new Reads(new ConnectionShares(2, HOUR));
    const alices = ['a1', 'a2', 'a3', 'a4'].map((name) => reads.begin('alice', name));
    expect(reads.begun).toEqual(['a1', 'a2']);
    const bobs = reads.begin('bob', 'b1');
    expect(reads.begun).toEqual(['a1', 'a2', 'b1']);
    reads.end('b1');
    expect(await bobs).toBe('b1');
    expect(reads.begun).toEqual(['a1', 'a2', 'b1']);
    reads.end('a2');
    await alices[1];
    await Promise.resolve();
    expect(reads.begun).toEqual(['a1', 'a2', 'b1', 'a3']);
    for (const name of ['a1', 'a3']) reads.end(name);
    await Promise.all([alices[0], alices[2]]);
    await Promise.resolve();
    reads.end('a4');
    expect(await Promise.all(alices)).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  it('take back the places of reads that fail', async () => {
    const shares = new ConnectionShares(1, HOUR);
    const failing = shares.run('alice', () => Promise.reject(new Error('lost')));
    const next = shares.run('alice', () => Promise.resolve('read'));
    await expect(failing).rejects.toThrow('lost');
    expect(await next).toBe('read');
    expect(await shares.run('alice', () => Promise.resolve('again'))).toBe('again');
  });

  it('the reads of callers are refused when none of their places comes free in time, and take none then', async () => {
    const reads = new Reads(new ConnectionShares(1, 0));
    const first = reads.begin('alice', 'a1');
    await expect(reads.begin('alice', 'a2')).rejects.toMatchObject({
      code: 'TOO_MUCH_UNDER_WAY',
      details: { limit: 'caller', max_reads: 1 },
    });
    reads.end('a1');
    await first;
    const third = reads.begin('alice', 'a3');
    expect(reads.begun).toEqual(['a1', 'a3']);
    reads.end('a3');
    expect(await third).toBe('a3');
  });

  it('the reads of callers that are taken without work, for writes, are passed on when they are returned', async () => {
    const shares = new ConnectionShares(1, HOUR, 'writes');
    const leave = await shares.take('alice');
    const second = shares.take('alice');
    expect(typeof shares.take('bob')).toBe('function');
    leave();
    expect(await second).toBeInstanceOf(Function);
    const refused = new ConnectionShares(0, 0, 'writes').take('alice');
    await expect(refused).rejects.toMatchObject({ details: { limit: 'caller', max_writes: 0 } });
  });
});
