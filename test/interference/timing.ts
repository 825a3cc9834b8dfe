import { randomUUID } from 'node:crypto';
import { Chance } from '../properties/random.js';
import { type Client } from '../support/client.js';
import { type Operation } from '../support/operations.js';
import { AssistantClient, mcpOperationsOnOne } from '../support/mcp-operations.js';
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
  /** The number of standard deviations by which the hidden one was slower in more pairs than expected by chance. */
  bias: number;
}

/** The timed subjects: a key and a person, each on the operations open to such callers. */
const TIMED_SUBJECTS: readonly Subject[] = ['narrow app', 'receiver'];

/** The timed operations, by a pattern of their names. */
const ONLY = new RegExp(process.env.ONLY ?? '');

/** Pairs for each route in one life: an access token must outlive it. */
const ROUND = 100;

/** Routes that are requested at the same time: an answer of 404 mostly waits (ADR 19). */
const AT_ONCE = 8;

/** An operation on one thing, and ids of such things that exist and are hidden. */
interface Route {
  name: string;
  client: Client;
  operation: Operation;
  parameter: string;
  hidden: readonly string[];
}

/**
 * The answer times of a hidden thing beside an absent one, for every operation on one thing. The routes take turns, so
 * that other load of the machine meets all of them alike.
 */
export async function time(twins: Twins, { seed, pairs, say }: Comparison): Promise<Timed[]> {
  const times = new Map<string, [number, number][]>();
  for (let begun = 0; begun < pairs; begun += ROUND) {
    const routes: Route[] = [];
    for (const subject of TIMED_SUBJECTS) routes.push(...(await routesOf(twins, subject, seed + begun)));
    for (let pair = begun; pair < Math.min(pairs, begun + ROUND); pair++)
      for (let first = 0; first < routes.length; first += AT_ONCE)
        await Promise.all(
          routes.slice(first, first + AT_ONCE).map(async (route, place) => {
            add(times, route.name, await timesOf(route, pair, (pair + place) % 2));
          }),
        );
    say(`${begun + ROUND} pairs\n  ${timed(times).map(inWords).join('\n  ')}`);
  }
  return timed(times);
}

export function add(times: Map<string, [number, number][]>, name: string, taken: [number, number]): void {
  const list = times.get(name) ?? [];
  list.push(taken);
  times.set(name, list);
}

async function routesOf(twins: Twins, subject: Subject, seed: number): Promise<Route[]> {
  const life = await Life.begin(twins, subject, new Chance(seed));
  for (let step = 0; step < 80; step++) await life.secretStep();
  const others = isApp(subject) ? 'user' : 'key';
  const all = [...askable(twins.operations), ...mcpOperationsOnOne()].filter(({ name }) => ONLY.test(name));
  // File content is only given to signed links.
  return all
    .filter(({ callers, path }) => callers !== others && !path.endsWith('/content'))
    .flatMap((operation) => {
      const [, parameter] = /\{(\w+)\}/.exec(operation.path) ?? [];
      const hidden = parameter && life.secret.ids[0].get(kindIn(parameter) ?? '');
      if (!parameter || !hidden || hidden.length === 0) return [];
      const name = `${subject}: ${operation.name}`;
      return [{ name, client: AssistantClient.of(life.clients[0]), operation, parameter, hidden }];
    });
}

/**
 * @param before decides which of the two comes first: in turns, and half of the concurrent ones begin with either, so
 *   that neither is systematically slower
 */
async function timesOf(route: Route, pair: number, before: number): Promise<[number, number]> {
  const ids = [route.hidden[pair % route.hidden.length] as string, randomUUID()];
  const [took, statuses]: [number[], number[]] = [[], []];
  for (const which of [before, 1 - before]) {
    const { path, body } = requestOf(route, ids[which] as string);
    const begun = performance.now();
    const { status } = await route.client.send(route.operation.method, path, body);
    took[which] = performance.now() - begun;
    statuses[which] = status;
  }
  if (statuses[0] !== statuses[1] || statuses[0] === 401)
    throw new Error(`${route.name}: ${statuses.join(' and ')}`);
  return took as [number, number];
}

function requestOf({ operation, parameter }: Route, id: string): { path: string; body: object | undefined } {
  const things = { version: '1', timestamp: '2999-01-01T00:00:00Z' } as unknown as Things;
  const path = pathOf({ ...operation, path: operation.path.replace(`{${parameter}}`, id) }, things);
  return { path, body: bodyOf(operation, things, 1) };
}

export const timed = (times: Map<string, [number, number][]>): Timed[] =>
  [...times].map(([operation, taken]) => ({ operation, ...summary(taken) }));

export const inWords = (timed: Timed): string => {
  const { operation, hidden, absent, bias } = timed;
  const figures = `hidden ${hidden.toFixed(2)} ms, absent ${absent.toFixed(2)} ms, ${bias.toFixed(1)}σ`;
  return `${operation}: ${figures}${tells(timed) ? ' TELLS' : ''}`;
};

function summary(times: [number, number][]): Omit<Timed, 'operation'> {
  const slower = times.filter(([hidden, absent]) => hidden > absent).length;
  const bias = (slower - times.length / 2) / Math.sqrt(times.length / 4);
  return { hidden: median(times.map(([a]) => a)), absent: median(times.map(([, b]) => b)), bias };
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

/** True if slower or faster by more than a twentieth or a millisecond, and not by chance. */
export const tells = ({ hidden, absent, bias }: Timed): boolean =>
  (Math.abs(hidden - absent) > 0.05 * absent || Math.abs(hidden - absent) > 1) && Math.abs(bias) > 4;
