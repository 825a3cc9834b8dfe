import { setTimeout } from 'node:timers/promises';
import { isRetryable } from './violations.js';

const ATTEMPTS = 5;
/** The longest pause before the second attempt; random, so that units that collided do not collide again. */
const PAUSE_MS = 20;

/** Retries deadlocks, which are no fault of the caller. */
export async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  for (let number = 1; ; number++) {
    try {
      return await attempt();
    } catch (error) {
      if (number === ATTEMPTS || !isRetryable(error)) throw error;
      await setTimeout(Math.random() * PAUSE_MS * number);
    }
  }
}
