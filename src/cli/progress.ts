import { Presets, SingleBar } from 'cli-progress';
import { type ImportProgress } from '../import/index.js';

/**
 * Thrown when the operator has ended a command. The message says how far it came; the code is the exit code of the
 * process.
 */
export class Interrupted extends Error {
  constructor(
    message: string,
    readonly exitCode: number,
  ) {
    super(message);
  }
}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 };
type Signal = keyof typeof EXIT_CODES;
const SIGNALS = Object.keys(EXIT_CODES) as Signal[];

/** A bar on a terminal; no output into a file or a pipe. */
class ProgressBar {
  private bar: SingleBar | null = null;
  private phase: string | null = null;

  constructor(private readonly stream: NodeJS.WriteStream) {}

  show({ phase, done, total }: ImportProgress): void {
    if (!this.stream.isTTY || total === 0) return;
    if (this.phase !== phase) this.begin(phase, total);
    this.bar?.update(done);
  }

  /** Restores the cursor and the line breaks of the terminal. */
  stop(): void {
    this.bar?.stop();
    this.bar = null;
    this.phase = null;
  }

  private begin(phase: string, total: number): void {
    this.stop();
    const format = `${phase.padEnd(13)} {bar} {value}/{total} {duration_formatted}`;
    this.bar = new SingleBar({ format, stream: this.stream, hideCursor: true }, Presets.shades_classic);
    this.bar.start(total, 0);
    this.phase = phase;
  }
}

/**
 * Shows the progress of an import, and ends it between two of its steps on a signal: written nodes stay, and the
 * terminal is restored. A second signal ends the process at once.
 */
export class ImportWatch {
  private readonly bar: ProgressBar;
  private readonly reached = new Map<ImportProgress['phase'], ImportProgress>();
  private asked: Signal | null = null;

  constructor(private readonly stream: NodeJS.WriteStream = process.stderr) {
    this.bar = new ProgressBar(stream);
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    const stop = (): void => this.bar.stop();
    for (const signal of SIGNALS) process.on(signal, this.end);
    process.once('exit', stop);
    try {
      return await work();
    } finally {
      stop();
      process.off('exit', stop);
      for (const signal of SIGNALS) process.off(signal, this.end);
    }
  }

  /** @throws Interrupted */
  readonly show = (progress: ImportProgress): void => {
    this.reached.set(progress.phase, progress);
    this.check();
    this.bar.show(progress);
  };

  /** @throws Interrupted */
  check(): void {
    if (this.asked === null) return;
    this.bar.stop();
    throw new Interrupted(describeReached(this.reached), EXIT_CODES[this.asked]);
  }

  /** Signals arrive between steps of the work, which are short. */
  private readonly end = (signal: Signal): void => {
    this.bar.stop();
    if (this.asked !== null) process.exit(EXIT_CODES[signal]);
    this.asked = signal;
    this.stream.write('stopping after this step …\n');
  };
}

/** Example: `600 of 1,085 notes written; run it again to continue`. */
export function describeReached(reached: ReadonlyMap<ImportProgress['phase'], ImportProgress>): string {
  const [nodes, files, relationships] = (['nodes', 'files', 'relationships'] as const).map((phase) =>
    reached.get(phase),
  );
  if (nodes === undefined || nodes.done === 0) return 'stopped: nothing was written';
  const parts = [
    `${share(nodes)} notes`,
    ...(files === undefined ? [] : [`${share(files)} files`]),
    ...(relationships === undefined ? [] : [`the relationships of ${share(relationships)} notes`]),
  ];
  return `${parts.join(', ')} written; run it again to continue`;
}

const share = ({ done, total }: ImportProgress): string =>
  `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
