/** The time after which used time counts only half. */
const HALF_LIFE_MS = 10_000;
/** Less than this is not remembered. */
const NOTHING_MS = 1;
/** The number of people above which those without recent use are removed; it doubles while too many remain. */
const MANY = 1_000;

interface Used {
  ms: number;
  at: number;
}

/** Counts the time for which people used a shared resource; it counts less the longer ago it was. */
export class UsedTime {
  private readonly used = new Map<string, Used>();
  private many = MANY;

  constructor(private readonly now: () => number = () => performance.now()) {}

  add(person: string, ms: number): void {
    this.used.set(person, { ms: this.by(person) + ms, at: this.now() });
    if (this.used.size > this.many) this.forget();
  }

  /** The number of people in memory. */
  get people(): number {
    return this.used.size;
  }

  /** The used time of a person in milliseconds. */
  by(person: string): number {
    const used = this.used.get(person);
    return used === undefined ? 0 : used.ms * 0.5 ** ((this.now() - used.at) / HALF_LIFE_MS);
  }

  private forget(): void {
    for (const person of this.used.keys()) if (this.by(person) < NOTHING_MS) this.used.delete(person);
    this.many = Math.max(MANY, 2 * this.used.size);
  }
}
