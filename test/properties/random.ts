/** Reproducible random numbers: the same seed gives the same draws (mulberry32). */
export class Chance {
  constructor(private state: number) {}

  /** An integer from 0 to below `end`. */
  below(end: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * end);
  }

  /** True once in `times`. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** Some elements of a list, none to `most`, each once. */
  some<T>(list: readonly T[], most = list.length): T[] {
    const rest = [...list];
    const count = this.below(Math.min(most, rest.length) + 1);
    return Array.from({ length: count }, () => rest.splice(this.below(rest.length), 1)[0] as T);
  }
}

/** SEED of the environment, or a new one; printed, so that a failure can be reproduced. */
export function seedOf(what: string): number {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`${what}: SEED=${seed}`);
  return seed;
}
