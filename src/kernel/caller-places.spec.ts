import { describe, expect, it } from '@jest/globals';
import { CallerPlaces } from './caller-places.js';
import { DomainError } from './errors/domain-error.js';

const HOUR = 3_600_000;
const tooMany = (most: number) =>
  new DomainError('TOO_MUCH_UNDER_WAY', 'too many', { limit: 'caller', most });

/** Reads that end on demand. */
class Reads {
  readonly begun: string[] = [];
  private readonly ends = new Map<string, () => void>();

  constructor(private readonly places: CallerPlaces) {}

  begin(caller: string, name: string): Promise<string> {
    return this.places.run(caller, () => {
      this.begun.push(name);
      return new Promise((resolve) => this.ends.set(name, () => resolve(name)));
    });
  }

  end(name: string): void {
    this.ends.get(name)?.();
  }
}

describe('CallerPlaces', () => {
  it('places of callers let a caller’s reads begin in their order as places come free, and those of others at once', async () => {
    const reads = new Reads(new CallerPlaces(2, HOUR, tooMany));
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

  it('places of reads that fail are free again', async () => {
    const places = new CallerPlaces(1, HOUR, tooMany);
    const failing = places.run('alice', () => Promise.reject(new Error('lost')));
    const next = places.run('alice', () => Promise.resolve('read'));
    await expect(failing).rejects.toThrow('lost');
    expect(await next).toBe('read');
    expect(await places.run('alice', () => Promise.resolve('again'))).toBe('again');
  });

  it('the reads of callers are refused when none of their places comes free in time, and take none then', async () => {
    const reads = new Reads(new CallerPlaces(1, 0, tooMany));
    const first = reads.begin('alice', 'a1');
    await expect(reads.begin('alice', 'a2')).rejects.toMatchObject({
      code: 'TOO_MUCH_UNDER_WAY',
      details: { limit: 'caller', most: 1 },
    });
    reads.end('a1');
    await first;
    const third = reads.begin('alice', 'a3');
    expect(reads.begun).toEqual(['a1', 'a3']);
    reads.end('a3');
    expect(await third).toBe('a3');
  });

  it('the reads of callers that are taken without work, for writes, are passed on when they are returned', async () => {
    const places = new CallerPlaces(1, HOUR, tooMany);
    const leave = await places.take('alice');
    const second = places.take('alice');
    expect(typeof places.take('bob')).toBe('function');
    leave();
    expect(await second).toBeInstanceOf(Function);
    const refused = new CallerPlaces(0, 0, tooMany).take('alice');
    await expect(refused).rejects.toMatchObject({ details: { limit: 'caller', most: 0 } });
  });
});
