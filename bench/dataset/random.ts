/** Numbers in [0, 1) that one seed determines (mulberry32). */
export type Random = () => number;

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const integer = (random: Random, below: number): number => Math.floor(random() * below);

export const pick = <T>(random: Random, from: readonly T[]): T => from[integer(random, from.length)] as T;

/** Ranks 0 … n-1, rank r with weight 1 / (r + 1). */
export function zipf(n: number): (random: Random) => number {
  const bounds: number[] = [];
  let sum = 0;
  for (let rank = 0; rank < n; rank++) bounds.push((sum += 1 / (rank + 1)));
  return (random) => {
    const x = random() * sum;
    return bounds.findIndex((bound) => x < bound);
  };
}

/** UUID v7 of a moment, with random bits from the generator. */
export function uuid(random: Random, milliseconds: number): string {
  const time = milliseconds.toString(16).padStart(12, '0');
  const hex = (digits: number): string =>
    integer(random, 16 ** digits)
      .toString(16)
      .padStart(digits, '0');
  const variant = (8 + integer(random, 4)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${variant}${hex(3)}-${hex(6)}${hex(6)}`;
}
