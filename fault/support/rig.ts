import { parseArgs } from 'node:util';

/** The measurements of a rig, and the faults it found. */
export class Rig {
  readonly options: Record<string, number>;
  readonly #isPlanted: boolean;
  /** The broken promises by which a planted fault is found. */
  sought = /./;
  readonly #broken: string[] = [];
  #state: number;

  /** @param defaults numbers that the command line can change (`--events 20000`), beside `--seed` and `--plant` */
  constructor(
    readonly name: string,
    defaults: Record<string, number>,
  ) {
    const numbers = { seed: 1, ...defaults };
    const named = Object.fromEntries(Object.keys(numbers).map((key) => [key, { type: 'string' as const }]));
    const values: Record<string, unknown> = parseArgs({
      options: { plant: { type: 'boolean' as const }, ...named },
    }).values;
    this.#isPlanted = values['plant'] === true;
    this.options = Object.fromEntries(
      Object.entries(numbers).map(([key, value]) => [key, Number(values[key] ?? value)]),
    );
    this.#state = this.option('seed') >>> 0;
    this.say(JSON.stringify(this.options) + (this.#isPlanted ? ', with its planted fault' : ''));
  }

  /** True if the rig plants its fault, and must find it. */
  get isPlanted(): boolean {
    return this.#isPlanted;
  }

  option(name: string): number {
    const value = this.options[name];
    if (value === undefined || !Number.isFinite(value)) throw new Error(`--${name} is a number`);
    return value;
  }

  /** A number from 0 to 1, in the same series for the same seed (mulberry32). */
  random(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  say(text: string): void {
    console.log(`${this.name}: ${text}`);
  }

  /** A promise of the service; broken if there are any offenders. */
  expectNone(what: string, offenders: Iterable<unknown>): void {
    const all = [...offenders];
    if (all.length > 0) this.#broken.push(`${what}: ${all.length}, such as ${all.slice(0, 3).join(', ')}`);
    else this.say(`${what}: none`);
  }

  expect(what: string, holds: boolean): void {
    if (!holds) this.#broken.push(what);
  }

  /** 0 if all promises held; with a planted fault 0 if it was found. */
  verdict(): number {
    for (const line of this.#broken) this.say(`BROKEN ${line}`);
    if (!this.#isPlanted) return this.#broken.length === 0 ? 0 : 1;
    const isFound = this.#broken.some((line) => this.sought.test(line));
    this.say(isFound ? 'the planted fault was found' : 'the planted fault was NOT found');
    return isFound ? 0 : 1;
  }
}

export const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN;

/** Runs the work for each item, a number of them concurrently. */
export async function each<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) await work(items[index] as T, index);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
}

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Runs a rig's body, and its clean-up afterwards. */
export async function run(
  rig: Rig,
  holder: { clear: () => Promise<void> },
  body: () => Promise<void>,
): Promise<void> {
  try {
    await body();
    process.exitCode = rig.verdict();
  } catch (error) {
    console.error(error);
    process.exitCode = 2;
  } finally {
    await holder.clear();
  }
}
