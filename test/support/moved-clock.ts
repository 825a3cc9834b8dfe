import { Clock } from '../../src/kernel/clock.js';
import { type World } from './world.js';

/** Stops the service's clock at a time; the test moves it. */
export function holdClock(world: World, at = new Date()): { now: Date; advance: (seconds: number) => void } {
  const hand = {
    now: at,
    advance: (seconds: number) => void (hand.now = new Date(hand.now.getTime() + seconds * 1000)),
  };
  world.nest.get(Clock).now = () => hand.now;
  return hand;
}

/** Restores the machine's time. */
export function letClockRun(world: World): void {
  const clock: Partial<Clock> = world.nest.get(Clock);
  delete clock.now;
}
