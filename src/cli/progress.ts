import { Presets, SingleBar } from 'cli-progress';
import { type EmbeddingProgress } from '../graph/index.js';
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

interface Progress {
  phase: string;
  done: number;
  total: number;
}

/** A bar on a terminal; no output into a file or a pipe. */
class ProgressBar {
  private bar: SingleBar | null = null;
  private phase: string | null = null;

  constructor(private readonly stream: NodeJS.WriteStream) {}

  show({ phase, done, total }: Progress): void {
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

/** Ends a command between two of its steps on a signal, and restores the terminal. A second signal ends the process at once. */
abstract class CommandWatch {
  protected readonly bar: ProgressBar;
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
  check(): void {
    if (this.asked === null) return;
    this.bar.stop();
    throw new Interrupted(this.reachedSoFar(), EXIT_CODES[this.asked]);
  }

  /** One line about what is done, for a command that is ended. */
  protected abstract reachedSoFar(): string;

  /** Signals arrive between steps of the work, which are short. */
  private readonly end = (signal: Signal): void => {
    this.bar.stop();
    if (this.asked !== null) process.exit(EXIT_CODES[signal]);
    this.asked = signal;
    this.stream.write('stopping after this step …\n');
  };
}

/** Shows the progress of an import; written nodes stay when it is ended. */
export class ImportWatch extends CommandWatch {
  private readonly reached = new Map<ImportProgress['phase'], ImportProgress>();

  /** @throws Interrupted */
  readonly show = (progress: ImportProgress): void => {
    this.reached.set(progress.phase, progress);
    this.check();
    this.bar.show(progress);
  };

  protected reachedSoFar(): string {
    return describeReached(this.reached);
  }
}

/** Shows the progress of computing vectors; what is computed stays when it is ended. */
export class EmbeddingWatch extends CommandWatch {
  private username = '';
  private done = 0;

  /** Begins with another owner. @throws Interrupted */
  begin(username: string): void {
    this.check();
    this.username = username;
    this.done = 0;
  }

  /** @throws Interrupted */
  readonly show = ({ done, total, waitsUntil }: EmbeddingProgress): void => {
    this.done = done;
    this.check();
    const phase = waitsUntil === null ? this.username : `${this.username} waits`;
    this.bar.show({ phase, done, total });
  };

  protected reachedSoFar(): string {
    if (this.username === '') return 'stopped: nothing was computed';
    return `${this.username} has ${this.done.toLocaleString('en')} vectors; run it again to continue`;
  }
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
