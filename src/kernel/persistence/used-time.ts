/** Half of what somebody has used counts no more after this time. */
const HALF_LIFE_MS = 10_000;
/** Less than this is not remembered. */
const NOTHING_MS = 1;
/** With more people than this, and then with twice as many, those who have used nothing lately are forgotten. */
const MANY = 1_000;

interface Used {
  ms: number;
  at: number;
}

/** The time that people have used of something that all share; the longer ago, the less it counts. */
export class UsedTime {
  private readonly used = new Map<string, Used>();
  private many = MANY;

  constructor(private readonly now: () => number = () => performance.now()) {}

  add(person: string, ms: number): void {
    this.used.set(person, { ms: this.by(person) + ms, at: this.now() });
    if (this.used.size > this.many) this.forget();
  }

  /** The number of people who are remembered. */
  get people(): number {
    return this.used.size;
  }

  /** Milliseconds. */
  by(person: string): number {
    const used = this.used.get(person);
    return used === undefined ? 0 : used.ms * 0.5 ** ((this.now() - used.at) / HALF_LIFE_MS);
  }

  private forget(): void {
    for (const person of this.used.keys()) if (this.by(person) < NOTHING_MS) this.used.delete(person);
    this.many = Math.max(MANY, 2 * this.used.size);
  }
}
