import { Attempts } from '../../src/delivery/application/attempts.service.js';
import { type World } from '../support/world.js';

/**
 * Makes a world's attempts one after another. Side by side, chance says which of them still come before a failure that
 * disables the subscription.
 */
export function attemptInOrder({ nest }: World): void {
  const attempts = nest.get(Attempts, { strict: false });
  const make = attempts.make.bind(attempts);
  let last: Promise<unknown> = Promise.resolve();
  attempts.make = (...args) => {
    const attempt = last.then(() => make(...args));
    last = attempt.catch(() => undefined);
    return attempt;
  };
}
