import { Presets, SingleBar } from 'cli-progress';
import { type ImportProgress } from '../import/index.js';

/** A bar on a terminal; nothing where the output goes into a file or a pipe. */
export class ProgressBar {
  private bar: SingleBar | null = null;
  private phase: string | null = null;

  constructor(private readonly stream: NodeJS.WriteStream = process.stderr) {}

  readonly show = ({ phase, done, total }: ImportProgress): void => {
    if (!this.stream.isTTY || total === 0) return;
    if (this.phase !== phase) this.begin(phase, total);
    this.bar?.update(done);
  };

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
