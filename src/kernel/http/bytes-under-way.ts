import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Config } from '../../config/config.js';
import { DomainError } from '../errors/domain-error.js';

type Direction = 'received' | 'sent';

/** A client that reads nothing for this long has lost its answer and must not hold capacity that others wait for. */
const STALLED_MS = 30_000;

/** Smaller bodies and answers are not counted: the number of connections bounds them. */
const SMALL_BYTES = 64 * 1024;

/**
 * Limits the bytes of bodies being held, and of answers that clients have not read yet, for each caller and for the
 * process: beyond the limits a request is refused, so that large ones cannot exhaust the memory.
 */
@Injectable()
export class BytesUnderWay {
  /** The key of a request's caller; by default its address. */
  whose: (request: Request) => string = ({ ip }) => ip ?? 'unknown';
  private readonly held = { received: new Map<string, number>(), sent: new Map<string, number>() };
  private readonly total = { received: 0, sent: 0 };
  private readonly watched = new WeakSet<Response>();

  constructor(private readonly config: Config) {}

  /**
   * Counts bytes until the answer is sent or its client is gone, or until the returned function is called.
   * @throws TOO_MUCH_UNDER_WAY
   */
  hold(direction: Direction, response: Response, bytes: number): () => void {
    if (bytes < SMALL_BYTES || response.destroyed) return () => undefined;
    const caller = this.whose(response.req);
    const callers = this.held[direction];
    const held = callers.get(caller) ?? 0;
    const { callerBytes, processBytes } = this.config;
    // A write cannot be refused after it was made: its answer is counted, whatever its size.
    const isRefusable = direction === 'received' || response.req.method === 'GET';
    if (isRefusable && held + bytes > callerBytes) throw tooMuch(direction, 'caller', callerBytes);
    if (isRefusable && this.total[direction] + bytes > processBytes)
      throw tooMuch(direction, 'process', processBytes);
    this.add(direction, caller, bytes);
    if (direction === 'sent') this.endWhenStalled(response);
    let isHeld = true;
    const release = (): void => {
      response.off('close', release);
      if (isHeld) this.add(direction, caller, -bytes);
      isHeld = false;
    };
    response.once('close', release);
    return release;
  }

  private endWhenStalled(response: Response): void {
    if (this.watched.has(response)) return;
    this.watched.add(response);
    response.setTimeout(STALLED_MS, () => response.destroy());
  }

  private add(direction: Direction, caller: string, bytes: number): void {
    this.total[direction] += bytes;
    const callers = this.held[direction];
    const held = (callers.get(caller) ?? 0) + bytes;
    if (held === 0) callers.delete(caller);
    else callers.set(caller, held);
  }
}

function tooMuch(direction: Direction, limit: 'caller' | 'process', max_bytes: number): DomainError {
  const message =
    direction === 'received'
      ? 'Too many bytes of request bodies are in progress; send this one when others are answered'
      : 'Too many bytes of answers are in progress; try again when you have read others';
  return new DomainError('TOO_MUCH_UNDER_WAY', message, { direction, limit, max_bytes });
}
