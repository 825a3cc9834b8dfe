import { setTimeout } from 'node:timers/promises';
import { holdingLonger, tooLong, WorkHoldsConnection } from '../slices.js';
import { isRetryable } from './violations.js';

const ATTEMPTS = 5;
/** The longest pause before the second attempt; random, so that units that collided do not collide again. */
const PAUSE_MS = 20;

/**
 * The most times that work is finished ahead of one unit. Each attempt has twice the time of the one before, so that all
 * together they repeat little, and the last one holds its connection for six seconds.
 */
const MOST_AHEAD = 5;

/**
 * Retries deadlocks, which are no fault of the caller, and units that were cut off by long work, once that is finished
 * without a connection.
 */
export async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  let ahead = 0;
  for (let number = 1; ; number++) {
    try {
      return await (ahead === 0 ? attempt() : holdingLonger(ahead, attempt));
    } catch (error) {
      if (error instanceof WorkHoldsConnection) {
        if (++ahead > MOST_AHEAD) throw tooLong();
        await error.finish();
        number--;
        continue;
      }
      if (number === ATTEMPTS || !isRetryable(error)) throw error;
      await setTimeout(Math.random() * PAUSE_MS * number);
    }
  }
}
