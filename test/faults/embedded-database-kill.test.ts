import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from '../support/until.js';

/** The number of kills; KILLS=50 for a long run. */
const KILLS = Number(process.env.KILLS ?? 3);
/**
 * The target is 5 seconds, and the time is printed; the limit distinguishes a slow machine from a lock that
 * waits to become stale.
 */
const LIMIT_MS = 20_000;

/** embedded-writer.mjs as a process. */
class Writer {
  readonly acknowledged: number[] = [];
  found: number[] = [];
  halfBatches = 0;
  complaint = '';
  readonly startedAt = performance.now();
  readyAfter = Infinity;
  readonly ended: Promise<unknown>;
  readonly ready: Promise<void>;
  private readonly child: ChildProcess;

  constructor(directory: string) {
    this.child = spawn(process.execPath, ['test/faults/embedded-writer.mjs', directory], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stderr?.on('data', (text) => (this.complaint += String(text)));
    this.ended = once(this.child, 'close');
    const lines = createInterface({ input: this.child.stdout as NodeJS.ReadableStream });
    this.ready = new Promise((ready, failed) => {
      void this.ended.then(() => failed(new Error(`ended before it was ready: ${this.complaint}`)));
      lines.on('line', (line) => {
        const [word, halves, batches] = line.split(' ');
        if (word !== 'ready') return void this.acknowledged.push(Number(line));
        this.readyAfter = performance.now() - this.startedAt;
        this.halfBatches = Number(halves);
        this.found = (batches as string).split(',').map(Number);
        ready();
      });
    });
    this.ready.catch(() => undefined);
  }

  async acknowledges(count: number): Promise<void> {
    await until(() => this.acknowledged.length >= count, `${count} acknowledged batches`);
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

describe('SIGKILL', () => {
  let root: string;
  const running: Writer[] = [];
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'embedded-kill-'));
  });
  afterAll(async () => {
    await Promise.all(running.map((writer) => writer.kill()));
    rmSync(root, { recursive: true });
  });

  function start(directory: string): Writer {
    const writer = new Writer(join(root, directory));
    running.push(writer);
    return writer;
  }

  it('kill -9 of the process that holds the embedded database during the first start leaves something that the next start can use', async () => {
    const first = start('first');
    const begun = join(root, 'first', 'postgres.new', 'PG_VERSION');
    await until(() => existsSync(begun), 'the cluster is being made');
    await first.kill();
    expect(first.readyAfter).toBe(Infinity);
    const second = start('first');
    await second.ready;
    await second.acknowledges(1);
    await second.kill();
    expect(readdirSync(join(root, 'first')).sort()).toEqual(['lock', 'postgres']);
  });

  it(
    `kill -9 of the process that holds the embedded database under load loses no acknowledged batch and keeps no half one, ${KILLS} times`,
    async () => {
      const acknowledged = new Set<number>();
      let slowest = 0;
      for (let kill = 0; kill <= KILLS; kill++) {
        const writer = start('load');
        await writer.ready;
        const found = new Set(writer.found);
        expect([...acknowledged].filter((batch) => !found.has(batch))).toEqual([]);
        expect(writer.halfBatches).toBe(0);
        if (kill > 0) slowest = Math.max(slowest, writer.readyAfter);
        await writer.acknowledges(20 + Math.random() * 100);
        await writer.kill();
        for (const batch of writer.acknowledged) acknowledged.add(batch);
      }
      console.log(
        `${acknowledged.size} acknowledged batches, ${KILLS} kills, slowest start ${Math.round(slowest)} ms`,
      );
      expect(slowest).toBeLessThan(LIMIT_MS);
    },
    KILLS * LIMIT_MS + 60_000,
  );

  it('kill -9 of the process that holds the embedded database is the only way for a second process to get the directory', async () => {
    const holder = start('load');
    await holder.ready;
    const rival = start('load');
    await rival.ended;
    expect(rival.complaint).toContain('DataDirectoryLocked: The data directory');
    const count = holder.acknowledged.length;
    await holder.acknowledges(count + 5);
    await holder.kill();
    await start('load').ready;
  });
});
