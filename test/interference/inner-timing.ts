import { Chance } from '../properties/random.js';
import { type Comparison } from './comparison.js';
import { INNER_SUBJECTS } from './inner-subjects.js';
import { requestsOf } from './stories.js';
import { Life } from './life.js';
import { askable } from './random-requests.js';
import { add, inWords, type Timed, timed } from './timing.js';
import { type Twins } from './twins.js';

/** Pairs in one life: an access token must outlive it, and a graph stay small. */
const ROUND = 200;

/**
 * The answer times of the two worlds, which differ in hidden fields only; "hidden" and "absent" are the two worlds.
 * Requests are sent one after the other, in turns.
 */
export async function timeInner(
  twins: Twins,
  { seed, pairs, say, subjects = INNER_SUBJECTS }: Comparison,
): Promise<Timed[]> {
  const times = new Map<string, [number, number][]>();
  for (let begun = 0, number = 0; begun < pairs; begun += ROUND, number++) {
    const subject = subjects[number % subjects.length]!;
    const chance = new Chance(seed + number);
    const life = await Life.begin(twins, subject, chance);
    const requests = requestsOf(life, chance);
    for (let pair = 0; pair < ROUND; pair++) {
      if (chance.once(10)) await life.secretStep();
      const { name, method, path, body, headers } = requests.next(askable(twins.operations));
      const id = twins.step();
      const took: number[] = [];
      for (const side of [pair % 2, 1 - (pair % 2)] as (0 | 1)[]) {
        const sent = { headers: { ...headers, 'X-Request-Id': id } };
        const since = performance.now();
        const { status, body: answer } = await life.clients[side].send(method, path, body, sent);
        took[side] = performance.now() - since;
        if (side === 0 && status < 300) life.pool.feed(path, answer);
      }
      add(times, `${subject}: ${name}`, took as [number, number]);
    }
    say(`${begun + ROUND} pairs`);
  }
  const result = timed(times);
  say(result.map(inWords).join('\n  '));
  return result;
}
