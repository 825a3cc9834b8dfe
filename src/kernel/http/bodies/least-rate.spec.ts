import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { type ServerResponse } from 'node:http';
import { requireLeastRate, requireLeastRateOfBody } from './least-rate.js';

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

describe('requireLeastRate', () => {
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

  it('the least rate of an answer ends with the answer', () => {
    const answer = new Answer();
    requireLeastRate(answer as unknown as ServerResponse);
    answer.emit('close');
    expect(minutes(answer, [0])).toEqual([false]);
    expect(jest.getTimerCount()).toBe(0);
  });
});

class Arrival extends EventEmitter {
  readonly req = { socket: { bytesRead: 1_000_000 }, complete: false, readableLength: 0 };
}

describe('requireLeastRateOfBody', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const begin = () => {
    const arrival = new Arrival();
    const refused: unknown[] = [];
    requireLeastRateOfBody(arrival as unknown as ServerResponse, ({ code, details }) =>
      refused.push([code, details]),
    );
    const minute = (bytes: number): number => {
      arrival.req.socket.bytesRead += bytes;
      jest.advanceTimersByTime(60_000);
      return refused.length;
    };
    return { arrival, refused, minute };
  };

  it('the least rate of a body is 64 KiB in each minute', () => {
    const { refused, minute } = begin();
    expect([65_536, 10_000_000, 65_535].map(minute)).toEqual([0, 0, 1]);
    expect(refused).toEqual([['REQUEST_TIMEOUT', { min_bytes_per_minute: 65_536 }]]);
  });

  it('the least rate of a body does not count minutes in which the body waits for its reader', () => {
    const { arrival, minute } = begin();
    arrival.req.readableLength = 1;
    expect(minute(0)).toBe(0);
    // It was read just now: the sender had no whole minute.
    arrival.req.readableLength = 0;
    expect([0, 0].map(minute)).toEqual([0, 1]);
  });

  it('the least rate of a body ends with the body, and with the answer', () => {
    const { arrival, minute } = begin();
    arrival.req.complete = true;
    expect(minute(0)).toBe(0);
    arrival.emit('close');
    expect(jest.getTimerCount()).toBe(0);
  });
});
