/** Ends a test whose condition never holds; enough for a machine that does ten other things. */
const MOST_TURNS = 20_000;

/** Repeats a check until it holds, for conditions without an event to wait for. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    if (await holds()) return;
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`never: ${what}`);
}
