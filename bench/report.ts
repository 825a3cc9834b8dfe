import { type Kind } from './dataset/databases.js';
import { median } from './load/drive.js';
import { type Measured, rate, ratios } from './measure.js';
import { type Recall } from './recall.js';
import { OPERATIONS } from './operations.js';

export interface Result {
  database: Kind;
  seed: number;
  settings: object;
  measured: Measured[];
  /** p50 of the list for the big graph over that for an ordinary one. */
  scale: { unchanged: number; written: number } | null;
  /** Milliseconds of each start. */
  startTimes: number[];
  /** MiB after everything else. */
  memory: { resident: number; peak: number } | null;
  recalls: Recall[];
}

const GOALS = { start: { postgres: 1000, pglite: 1500 }, memory: { postgres: 300, pglite: 600 }, scale: 3 };

/** Markdown for people; the numbers are in the JSON beside it. */
export function asMarkdown(result: Result): string {
  const { database } = result;
  const hasLimit = result.measured.some(({ samples }) => 'limit' in samples);
  const reference = result.measured.some(({ samples }) => 'other' in samples) ? 'other' : 'bare';
  const head = [
    'operation',
    'service /s',
    `${reference} /s`,
    ...(hasLimit ? ['limit /s'] : []),
    `service ÷ ${reference}`,
    'least-most',
    'goal',
    'p50 ms',
    'p99 ms',
  ];
  const rows = result.measured.map((measured) => operationRow(measured, { database, reference, hasLimit }));
  return [
    `### ${database === 'postgres' ? 'PostgreSQL' : 'PGlite'} (seed ${result.seed})`,
    '',
    ...table(head, rows),
    '',
    ...table(['else', 'figure', 'goal'], otherRows(result)),
    '',
  ].join('\n');
}

function operationRow(
  measured: Measured,
  { database, reference, hasLimit }: { database: Kind; reference: string; hasLimit: boolean },
): string[] {
  const ratio = ratios(measured, 'service', reference);
  const operation = OPERATIONS.find(({ name }) => name === measured.operation);
  const goal = reference === 'bare' ? operation?.goal?.[database] : undefined;
  const own = measured.samples['service'] ?? [];
  return [
    measured.title,
    whole(rate(measured, 'service')),
    whole(rate(measured, reference)),
    ...(hasLimit ? [whole(rate(measured, 'limit'))] : []),
    `**${ratio.median.toFixed(2)}**${goal === undefined || ratio.median >= goal ? '' : ' (below)'}`,
    `${ratio.least.toFixed(2)}-${ratio.most.toFixed(2)}`,
    goal === undefined ? '' : `≥ ${goal.toFixed(2)}`,
    median(own.map(({ p50 }) => p50)).toFixed(2),
    median(own.map(({ p99 }) => p99)).toFixed(2),
  ];
}

function otherRows({ database, scale, startTimes, memory, recalls }: Result): string[][] {
  const rows: string[][] = [];
  if (scale) {
    rows.push([
      'list of the big graph over an ordinary one, unchanged',
      `${scale.unchanged.toFixed(2)} ×`,
      `≤ ${GOALS.scale} ×`,
    ]);
    rows.push(['the same, 10 changes/s', `${scale.written.toFixed(2)} ×`, `≤ ${GOALS.scale} ×`]);
  }
  for (const { target, vectors, recall, totalOff } of recalls) {
    const figure = `${recall.toFixed(4)} (totals off by ${totalOff} at most)`;
    rows.push([
      `recall of vector search among ${vectors}, ${target}`,
      figure,
      target === 'service' ? '1.0' : '',
    ]);
  }
  if (startTimes.length > 0)
    rows.push(['process to first 200', `${whole(median(startTimes))} ms`, `≤ ${GOALS.start[database]} ms`]);
  if (memory)
    rows.push([
      'resident memory after the run',
      `${whole(memory.resident)} MiB (peak ${whole(memory.peak)})`,
      `≤ ${GOALS.memory[database]} MiB`,
    ]);
  return rows;
}

const whole = (value: number): string => (value < 100 ? value.toFixed(1) : Math.round(value).toString());

const table = (head: string[], rows: string[][]): string[] =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
