import { randomUUID } from 'node:crypto';
import { Chance } from '../properties/random.js';
import { type Client } from '../support/client.js';
import { type Operation } from '../support/operations.js';
import { bodyOf, pathOf, type Things } from '../support/plausible.js';
import { type Comparison } from './comparison.js';
import { Life } from './life.js';
import { kindIn } from './pool.js';
import { askable } from './random-requests.js';
import { isApp, type Subject } from './subjects.js';
import { type Twins } from './twins.js';

export interface Timed {
  operation: string;
  /** Medians, in milliseconds. */
  hidden: number;
  absent: number;
  /** In how many standard deviations more pairs had the hidden one slower than chance would have it. */
  bias: number;
}

/** Who is timed: a key and a person, each on the operations that are for such callers. */
const TIMED_SUBJECTS: readonly Subject[] = ['narrow app', 'receiver'];

/** How long a hidden thing takes to be answered, beside one that is not there, for every operation on one thing. */
export async function time(twins: Twins, { seed, pairs, say }: Comparison): Promise<Timed[]> {
  const timed: Timed[] = [];
  for (const subject of TIMED_SUBJECTS) {
    const life = await Life.begin(twins, subject, new Chance(seed));
    for (let step = 0; step < 60; step++) await life.secretStep();
    const others = isApp(subject) ? 'user' : 'key';
    const operations = askable(twins.operations).filter(({ callers }) => callers !== others);
    for (const operation of operations) {
      const [, name] = /\{(\w+)\}/.exec(operation.path) ?? [];
      const ids = life.secret.ids[0].get(name === undefined ? '' : (kindIn(name) ?? ''));
      if (name === undefined || ids === undefined || ids.length === 0) continue;
      const asked = { client: life.clients[0], operation, name, ids };
      const result = { operation: `${subject}: ${operation.name}`, ...summary(await timesOf(asked, pairs)) };
      say(`${tells(result) ? 'TELLS ' : ''}${inWords(result)}`);
      timed.push(result);
    }
  }
  return timed;
}

interface Asked {
  client: Client;
  operation: Operation;
  /** Of the parameter. */
  name: string;
  /** Ids that exist and are hidden. */
  ids: readonly string[];
}

async function timesOf({ client, operation, name, ids }: Asked, pairs: number): Promise<[number, number][]> {
  const times: [number, number][] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const both: [string, string] = [ids[pair % ids.length] as string, randomUUID()];
    const first = pair % 2;
    const took: number[] = [];
    for (const which of [first, 1 - first])
      took[which] = await timeOf(client, operation, { name, id: both[which] as string });
    times.push(took as [number, number]);
  }
  return times;
}

const inWords = ({ operation, hidden, absent, bias }: Timed): string =>
  `${operation}: hidden ${hidden.toFixed(2)} ms, absent ${absent.toFixed(2)} ms, ${bias.toFixed(1)}σ`;

async function timeOf(client: Client, operation: Operation, { name, id }: Record<'name' | 'id', string>) {
  const things = { version: '1', timestamp: '2999-01-01T00:00:00Z' } as unknown as Things;
  const named = { ...operation, path: operation.path.replace(`{${name}}`, id) };
  const [path, body] = [pathOf(named, things), bodyOf(operation, things, 1)];
  const begun = performance.now();
  await client.send(operation.method, path, body);
  return performance.now() - begun;
}

function summary(times: [number, number][]): Omit<Timed, 'operation'> {
  const slower = times.filter(([hidden, absent]) => hidden > absent).length;
  const bias = (slower - times.length / 2) / Math.sqrt(times.length / 4);
  return { hidden: median(times.map(([a]) => a)), absent: median(times.map(([, b]) => b)), bias };
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

/** Slower or faster by more than a twentieth or a millisecond, and not by chance. */
export const tells = ({ hidden, absent, bias }: Timed): boolean =>
  (Math.abs(hidden - absent) > 0.05 * absent || Math.abs(hidden - absent) > 1) && Math.abs(bias) > 4;
