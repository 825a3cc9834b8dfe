import { pick, seeded } from './dataset/random.js';
import { drive, median, type Sample, trickle } from './load/drive.js';
import { create, type Operation, OPERATIONS, type Subject } from './operations.js';
import { type Target } from './targets/process.js';

export interface Settings {
  seed: number;
  rounds: number;
  seconds: number;
  connections: number;
}

export interface Measured {
  operation: string;
  title: string;
  /** One sample for each round, by target. */
  samples: Record<string, Sample[]>;
}

/**
 * Rounds A B C, C B A, …: every server gets the same requests in every round, and other load of the machine affects all
 * of them. Ratios are computed within a round, medians over the rounds.
 */
export async function measure(
  operation: Operation,
  targets: Target[],
  subjects: Subject[],
  settings: Settings,
): Promise<Measured> {
  const samples: Record<string, Sample[]> = Object.fromEntries(targets.map(({ name }) => [name, []]));
  for (const target of targets)
    await once(operation, target, subjects, { ...settings, seconds: Math.min(2, settings.seconds) }, 0);
  for (let round = 1; round <= settings.rounds; round++) {
    for (const target of round % 2 === 0 ? [...targets].reverse() : targets) {
      samples[target.name]?.push(await once(operation, target, subjects, settings, round));
    }
  }
  return { operation: operation.name, title: operation.title, samples };
}

async function once(
  operation: Operation,
  target: Target,
  subjects: Subject[],
  settings: Settings,
  round: number,
): Promise<Sample> {
  // A seed of its own for each operation: a batch with the texts of earlier creates would be a batch of duplicates.
  const random = seeded((settings.seed * 31 + OPERATIONS.indexOf(operation)) * 7919 + round);
  const chosen = operation.subjects === 'many' ? subjects : subjects.slice(0, 1);
  const writer = operation.writes
    ? trickle(
        { port: target.port, status: 201, next: () => create(chosen[0] as Subject, random) },
        operation.writes,
      )
    : null;
  const sample = await drive({
    port: target.port,
    connections: settings.connections,
    seconds: settings.seconds,
    status: operation.status,
    next: () => operation.request(pick(random, chosen), random),
  });
  await writer?.stop();
  return sample;
}

/** Medians of rates, and of the ratios of one target to another round by round. */
export const rate = (measured: Measured, target: string): number =>
  median((measured.samples[target] ?? []).map((sample) => sample.rate));

export function ratios(
  measured: Measured,
  target: string,
  reference: string,
): { median: number; least: number; most: number } {
  const own = measured.samples[target] ?? [];
  const other = measured.samples[reference] ?? [];
  const all = own.map((sample, round) => sample.rate / (other[round] as Sample).rate);
  return { median: median(all), least: Math.min(...all), most: Math.max(...all) };
}

/** The p50 of a list for a big graph over that for an ordinary one, on one connection. */
export async function scale(
  list: Operation,
  target: Target,
  pair: { small: Subject; big: Subject },
  settings: Settings,
): Promise<Measured> {
  const samples: Record<string, Sample[]> = { small: [], big: [] };
  for (let round = 0; round < settings.rounds; round++) {
    const names = ['small', 'big'] as const;
    for (const name of round % 2 === 0 ? names : [...names].reverse()) {
      const sample = await once(
        list,
        target,
        [pair[name]],
        { ...settings, connections: 1, seconds: Math.min(2, settings.seconds) },
        round,
      );
      samples[name]?.push(sample);
    }
  }
  return { operation: list.name, title: list.title, samples };
}
