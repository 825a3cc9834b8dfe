let passedMs = 0;
const now = performance.now.bind(performance);

/** Makes the process believe that so much more time has passed since it started. */
export function passTime(ms: number): void {
  passedMs += ms;
  performance.now = () => now() + passedMs;
}
