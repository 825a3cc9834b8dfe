/** Aborts its signal after a number of milliseconds, not counting pauses. It runs from its construction. */
export class PausableTimeout {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private since = 0;

  constructor(private left: number) {
    this.resume();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  resume(): void {
    this.since = performance.now();
    this.timer = setTimeout(() => this.controller.abort(), this.left);
  }

  pause(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.left = Math.max(0, this.left - (performance.now() - this.since));
  }
}
