import { Clock } from '../../src/kernel/clock.js';
import { type World } from '../support/world.js';

/** The service's clock, moved by hand: it stands still between two steps. */
export class MovableClock {
  private time = Date.now();

  constructor(world: World) {
    world.nest.get(Clock).now = () => new Date(this.time);
  }

  get now(): Date {
    return new Date(this.time);
  }

  step(milliseconds = 10): Date {
    this.time += milliseconds;
    return this.now;
  }
}
