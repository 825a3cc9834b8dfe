import { jest } from '@jest/globals';
import { describeReached, ImportWatch, Interrupted } from '../../src/cli/progress.js';

/** A terminal that records its output. */
function terminal() {
  let text = '';
  const write = (piece: string): boolean => {
    text += piece;
    return true;
  };
  const stream = { isTTY: true, columns: 80, write, cursorTo: write, clearLine: write, moveCursor: write };
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => text };
}

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s gives the terminal back, says what was written and exits with %d', async (signal, code) => {
  const { stream, text } = terminal();
  const watch = new ImportWatch(stream);
  const run = watch.during(async () => {
    watch.show({ phase: 'nodes', done: 0, total: 1085 });
    watch.show({ phase: 'nodes', done: 600, total: 1085 });
    expect(text()).toContain('\x1b[?25l');
    process.emit(signal, signal);
    expect(text().lastIndexOf('\x1b[?25h')).toBeGreaterThan(text().lastIndexOf('\x1b[?25l'));
    expect(text().lastIndexOf('\x1b[?7h')).toBeGreaterThanOrEqual(text().lastIndexOf('\x1b[?7l'));
    watch.show({ phase: 'nodes', done: 700, total: 1085 });
  });
  const error = await run.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(Interrupted);
  expect(error).toMatchObject({
    exitCode: code,
    message: '700 of 1,085 notes written; run it again to continue',
  });
  expect(process.listeners(signal)).not.toContain((watch as unknown as { end: unknown }).end);
});

it('a second signal ends the process at once', async () => {
  const exit = jest.spyOn(process, 'exit').mockImplementation((() => undefined) as never);
  const watch = new ImportWatch(terminal().stream);
  await watch.during(async () => {
    process.emit('SIGINT', 'SIGINT');
    process.emit('SIGINT', 'SIGINT');
  });
  expect(exit).toHaveBeenCalledWith(130);
  exit.mockRestore();
});

it('an error in the middle gives the terminal back', async () => {
  const { stream, text } = terminal();
  const watch = new ImportWatch(stream);
  const run = watch.during(async () => {
    watch.show({ phase: 'reading', done: 1, total: 2 });
    throw new Error('broken');
  });
  await expect(run).rejects.toThrow('broken');
  expect(text().lastIndexOf('\x1b[?25h')).toBeGreaterThan(text().lastIndexOf('\x1b[?25l'));
});

it('says what was written, phase by phase', () => {
  const reached = (...phases: [phase: 'reading' | 'nodes' | 'files' | 'relationships', done: number][]) =>
    describeReached(new Map(phases.map(([phase, done]) => [phase, { phase, done, total: 10 }])));
  expect(reached(['reading', 5])).toBe('stopped: nothing was written');
  expect(reached(['reading', 10], ['nodes', 0])).toBe('stopped: nothing was written');
  expect(reached(['nodes', 10], ['files', 3])).toBe(
    '10 of 10 notes, 3 of 10 files written; run it again to continue',
  );
  expect(reached(['nodes', 10], ['relationships', 4])).toBe(
    '10 of 10 notes, the relationships of 4 of 10 notes written; run it again to continue',
  );
});
