import { jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferedLogWriter } from './buffered-log-writer.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('BufferedLogWriter', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lines-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('gathered lines arrive all, in their order, and what is left at the end too', async () => {
    const path = join(directory, 'log');
    const descriptor = openSync(path, 'w');
    const lines = new BufferedLogWriter(descriptor);
    const written = Array.from(
      { length: 20_000 },
      (_, index) => `line ${index} ${'x'.repeat(index % 100)}\n`,
    );
    for (const line of written.slice(0, -1)) {
      lines.write(line);
      if (line.endsWith('x\n') && line.length % 50 === 0) await turn();
    }
    lines.flush();
    while (readFileSync(path, 'utf8').length < written.slice(0, -1).join('').length) await turn();
    lines.write(written.at(-1) as string);
    lines.end();
    expect(readFileSync(path, 'utf8')).toBe(written.join(''));
    closeSync(descriptor);
  });

  it('gathered lines leave by themselves', async () => {
    const path = join(directory, 'alone');
    const descriptor = openSync(path, 'w');
    new BufferedLogWriter(descriptor).write('one\n');
    while (readFileSync(path, 'utf8') !== 'one\n') await turn();
    closeSync(descriptor);
  });

  it('lines after a redirection arrive at the other descriptor alone', () => {
    const [first, second] = ['first', 'second'].map((name) => join(directory, name)) as [string, string];
    const descriptors = [first, second].map((path) => openSync(path, 'w')) as [number, number];
    const lines = new BufferedLogWriter(descriptors[0]);
    lines.redirect(descriptors[1]);
    lines.write('one\n');
    lines.end();
    expect([first, second].map((path) => readFileSync(path, 'utf8'))).toEqual(['', 'one\n']);
    descriptors.forEach(closeSync);
  });

  it('gathered lines leave right after those that are being written, where somebody asks for it, and gather else', async () => {
    const path = join(directory, 'urgent');
    const descriptor = openSync(path, 'w');
    const lines = new BufferedLogWriter(descriptor);
    const text = () => readFileSync(path, 'utf8');
    for (const isUrgent of [true, false]) {
      const before = text();
      const waiting: (() => void)[] = [];
      const timer = { unref: () => timer };
      jest.spyOn(globalThis, 'setTimeout').mockImplementation(((action: () => void) => {
        waiting.push(action);
        return timer;
      }) as never);
      lines.write('first\n');
      lines.flush();
      lines.write('second\n');
      if (isUrgent) lines.flush();
      const state = lines as unknown as { text: string; writingSince: number | null };
      while (state.writingSince !== null) await turn();
      expect(state.text).toBe(isUrgent ? '' : 'second\n');
      jest.restoreAllMocks();
      for (const action of waiting) action();
      while (text() !== `${before}first\nsecond\n`) await turn();
    }
    closeSync(descriptor);
  });

  it.each(['/dev/full', null])(
    'gathered lines are lost where they cannot be written, and nothing else is: %s',
    async (path) => {
      const descriptor = openSync(path ?? join(directory, 'closed'), 'w');
      if (path === null) closeSync(descriptor);
      const lines = new BufferedLogWriter(descriptor);
      for (let round = 0; round < 20; round++) {
        lines.write('x'.repeat(10_000));
        lines.flush();
        await turn();
      }
      expect(() => lines.end()).not.toThrow();
      if (path !== null) closeSync(descriptor);
    },
  );

  it('gathered lines for a reader who does not read are kept up to a bound, and hold up nobody at the end', async () => {
    const idle = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const { fd } = (idle.stdin as unknown as { _handle: { fd: number } })._handle;
    const lines = new BufferedLogWriter(fd);
    for (let round = 0; round < 2_000; round++) {
      lines.write('x'.repeat(10_000));
      if (round % 100 === 0) await turn();
    }
    expect((lines as unknown as { text: string }).text.length).toBeLessThan(9 * 1024 * 1024);
    lines.end();
    idle.kill();
    await once(idle, 'exit');
  });
});
