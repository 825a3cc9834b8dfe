import { setImmediate } from 'node:timers/promises';
import { DomainError } from './errors/domain-error.js';
import { FairPlaces } from './fair-places.js';

/** Work that ends when the test says so. */
class Jobs {
  readonly started: string[] = [];
  private readonly ends = new Map<string, () => void>();

  constructor(private readonly places: FairPlaces) {}

  begin(name: string): Promise<string> {
    return this.places.run(name[0] as string, async () => {
      this.started.push(name);
      await new Promise<void>((end) => this.ends.set(name, end));
      return name;
    });
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)?.();
    await setImmediate();
  }
}

describe('FairPlaces', () => {
  it('places that persons take in turn go to each person once before one has a second one', async () => {
    const jobs = new Jobs(new FairPlaces(1));
    for (const name of ['m1', 'm2', 'm3', 'a1', 'a2']) void jobs.begin(name);
    for (const name of ['m1', 'm2', 'a1', 'm3', 'a2']) {
      await setImmediate();
      expect(jobs.started.at(-1)).toBe(name);
      await jobs.end(name);
    }
  });

  it('places are not all for one person, if there is a limit for one', async () => {
    const jobs = new Jobs(new FairPlaces(4, 2));
    const results = ['m1', 'm2', 'm3', 'a1', 'b1', 'b2'].map((name) => jobs.begin(name));
    await setImmediate();
    expect(jobs.started).toEqual(['m1', 'm2', 'a1', 'b1']);
    await jobs.end('a1');
    expect(jobs.started.slice(4)).toEqual(['b2']);
    await jobs.end('m2');
    expect(jobs.started.slice(5)).toEqual(['m3']);
    for (const name of ['m1', 'm3', 'b1', 'b2']) await jobs.end(name);
    expect(await Promise.all(results)).toEqual(['m1', 'm2', 'm3', 'a1', 'b1', 'b2']);
  });

  it('work that has waited longer than its patience is refused, and takes no place later', async () => {
    const refusal = () => new DomainError('TOO_MUCH_UNDER_WAY', 'planted');
    const jobs = new Jobs(new FairPlaces(1, 1, { ms: 1, refusal }));
    const first = jobs.begin('m1');
    await expect(jobs.begin('a1')).rejects.toThrow('planted');
    await jobs.end('m1');
    expect(await first).toBe('m1');
    void jobs.begin('b1');
    await setImmediate();
    expect(jobs.started).toEqual(['m1', 'b1']);
    await jobs.end('b1');
  });

  it('places are free again after work that fails', async () => {
    const places = new FairPlaces(1);
    await expect(places.run('m', () => Promise.reject(new Error('fails')))).rejects.toThrow('fails');
    expect(await places.run('m', () => Promise.resolve('works'))).toBe('works');
  });
});
