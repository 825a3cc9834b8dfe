import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { type ServerResponse } from 'node:http';
import { requireLeastRate } from './least-rate.js';

class Answer extends EventEmitter {
  readonly socket = { bytesWritten: 1_000_000 };
  /** The bytes that the client has not taken yet. */
  writableLength = 1;
  isEnded = false;

  destroy(): void {
    this.isEnded = true;
    this.emit('close');
  }
}

describe('the least rate of an answer', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const minutes = (answer: Answer, bytes: number[]): boolean[] =>
    bytes.map((taken) => {
      answer.socket.bytesWritten += taken;
      jest.advanceTimersByTime(60_000);
      return answer.isEnded;
    });

  it('the least rate of an answer is 64 KiB in each minute', () => {
    const answer = new Answer();
    requireLeastRate(answer as unknown as ServerResponse);
    expect(minutes(answer, [65_536, 10_000_000, 65_535])).toEqual([false, false, true]);
  });

  it('the least rate of an answer does not end an answer whose client has taken all that there is', () => {
    const answer = new Answer();
    requireLeastRate(answer as unknown as ServerResponse);
    answer.writableLength = 0;
    expect(minutes(answer, [0])).toEqual([false]);
    answer.writableLength = 1;
    expect(minutes(answer, [0])).toEqual([true]);
  });

  it('ends with the answer', () => {
    const answer = new Answer();
    requireLeastRate(answer as unknown as ServerResponse);
    answer.emit('close');
    expect(minutes(answer, [0])).toEqual([false]);
    expect(jest.getTimerCount()).toBe(0);
  });
});
