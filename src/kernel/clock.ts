import { Injectable } from '@nestjs/common';
import { openTransaction } from './persistence/database.js';

/** The only source of "now", so that tests can move it. Within a unit of work it is the same throughout. */
@Injectable()
export class Clock {
  now(): Date {
    return openTransaction.moment() ?? new Date();
  }
}
