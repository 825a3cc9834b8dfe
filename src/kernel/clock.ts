import { Injectable } from '@nestjs/common';
import { openTransaction } from './database/transaction.js';

/** The only source of "now", so that tests can move it. It does not change within a unit of work. */
@Injectable()
export class Clock {
  now(): Date {
    return openTransaction.time() ?? new Date();
  }
}
