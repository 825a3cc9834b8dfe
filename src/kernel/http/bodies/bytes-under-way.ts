import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Config } from '../../../config/config.js';
import { DomainError } from '../../errors/domain-error.js';
import { requestContext } from '../../request-context.js';

type Direction = 'received' | 'sent';

/** A client that reads nothing for this long has lost its answer and must not hold capacity that others wait for. */
const STALLED_MS = 30_000;

/**
 * Smaller bodies, and smaller answers that a connection takes at once, are not counted: the number of connections bounds
 * them.
 */
const SMALL_BYTES: Readonly<Record<Direction, number>> = { received: 2 * 1024, sent: 64 * 1024 };

/** An exchange that has been under way for this long makes room for others when the process is full. */
const SLOW_MS = 10_000;

/** A request or an answer that holds bytes until it is released. */
interface Held {
  readonly bytes: number;
  readonly since: number;
  /** True for a transfer of a file: its length is no reason to end it, because its client must keep the least rate. */
  readonly isTransfer: boolean;
  /** False while its end would lose the acknowledgement of a write whose client has had little time to read it. */
  canEnd(): boolean;
  /** Releases the bytes at once and closes the connection. */
  end(): void;
}

/** All that one caller holds in one direction, oldest first. */
class Holder {
  readonly held = new Set<Held>();
  bytes = 0;

  get oldest(): Held | undefined {
    return this.first(() => true);
  }

  get oldestThatAges(): Held | undefined {
    return this.first(({ isTransfer }) => !isTransfer);
  }

  private first(matches: (held: Held) => boolean): Held | undefined {
    for (const one of this.held) if (matches(one) && one.canEnd()) return one;
    return undefined;
  }
}

/** One direction. */
class Hold {
  readonly holders = new Map<string, Holder>();
  bytes = 0;

  bytesOf(caller: string): number {
    return this.holders.get(caller)?.bytes ?? 0;
  }

  /** The exchanges of a caller, the oldest first, without transfers of files; they may end meanwhile. */
  *unreadBy(caller: string): Iterable<Held> {
    for (const one of this.holders.get(caller)?.held ?? []) if (!one.isTransfer) yield one;
  }

  /** @returns a function that releases it; further calls do nothing */
  add(caller: string, held: Held): () => void {
    const holder = this.holders.get(caller) ?? new Holder();
    this.holders.set(caller, holder);
    holder.held.add(held);
    holder.bytes += held.bytes;
    this.bytes += held.bytes;
    return () => {
      if (!holder.held.delete(held)) return;
      holder.bytes -= held.bytes;
      this.bytes -= held.bytes;
      if (holder.held.size === 0) this.holders.delete(caller);
    };
  }

  /**
   * Chooses the exchange that ends to make room in a full process: one that has taken long and is no transfer of a file,
   * else the oldest one of the caller who holds most, unless the new caller would hold as much.
   */
  victimFor(caller: string, bytes: number): Held | undefined {
    const others = [...this.holders].flatMap(([name, holder]) => (name === caller ? [] : [holder]));
    const ages = others.flatMap(({ oldestThatAges }) => oldestThatAges ?? []);
    const [slowest] = ages.sort((a, b) => a.since - b.since);
    if (slowest !== undefined && performance.now() - slowest.since > SLOW_MS) return slowest;
    const candidates = others.flatMap(({ bytes: all, oldest }) => (oldest ? [{ all, oldest }] : []));
    if (candidates.length === 0) return undefined;
    const largest = candidates.reduce((a, b) => (b.all > a.all ? b : a));
    return largest.all > this.bytesOf(caller) + bytes ? largest.oldest : undefined;
  }
}

/**
 * Limits the bytes of bodies being held, and of answers that clients have not read yet, for each caller and for the
 * process: beyond the limits a request is refused, so that large or slow ones cannot exhaust the memory. In a full process
 * slow bodies and slowly read answers end for others, so that a few callers cannot keep everybody out (rule 11.9b).
 */
@Injectable()
export class BytesUnderWay {
  /** The key of a request's caller; by default its address. */
  whose: (request: Request) => string = ({ ip }) => ip ?? 'unknown';
  private readonly directions = { received: new Hold(), sent: new Hold() };
  private readonly watched = new WeakSet<Response>();
  /** The bodies of requests that are not answered yet. */
  private readonly bodies = new WeakMap<Response, (() => void)[]>();

  constructor(private readonly config: Config) {}

  /**
   * Counts bytes until the answer is sent or its client is gone, or until the returned function is called. An answer takes
   * the place of the body that it answers.
   * @throws TOO_MUCH_UNDER_WAY
   */
  hold(direction: Direction, response: Response, bytes: number): () => void {
    if (direction === 'sent') this.forgetBody(response);
    if (response.destroyed || isFree(direction, response, bytes)) return () => undefined;
    const release = this.add(direction, response, {
      bytes,
      caller: this.whose(response.req),
      isTransfer: false,
    });
    if (direction === 'sent') this.endWhenStalled(response);
    return release;
  }

  /**
   * Counts what a file or an archive holds while its bytes pass, until the answer is sent or its client is gone. The
   * client must keep the least rate.
   * @param caller by default the caller of the request
   * @throws TOO_MUCH_UNDER_WAY
   */
  holdTransfer(
    direction: Direction,
    response: Response,
    { bytes, caller = this.whose(response.req) }: { bytes: number; caller?: string },
  ): void {
    if (!response.destroyed) this.add(direction, response, { bytes, caller, isTransfer: true });
  }

  private add(
    direction: Direction,
    response: Response,
    { caller, ...counted }: Pick<Held, 'bytes' | 'isTransfer'> & { caller: string },
  ): () => void {
    const isRead = response.req.method === 'GET' || requestContext.current().reads === true;
    if (direction === 'received' || (isRead && response.statusCode < 400))
      this.requireRoom(direction, caller, counted.bytes);
    else this.makeRoom(caller, counted.bytes);
    let remove = (): void => undefined;
    const release = (): void => {
      response.off('close', release);
      remove();
    };
    const end = (): void => {
      release();
      response.destroy();
    };
    const since = performance.now();
    // No handler has begun before its body is complete.
    const canEnd = (): boolean =>
      direction === 'sent' ? isRead || performance.now() - since > SLOW_MS : !response.req.complete;
    remove = this.directions[direction].add(caller, { ...counted, since, canEnd, end });
    response.once('close', release);
    if (direction === 'received') this.bodies.set(response, [...(this.bodies.get(response) ?? []), release]);
    return release;
  }

  /** Releases a body that nothing needs any longer: its answer may wait for others of its connection, or for its client. */
  forgetBody(response: Response): void {
    const releases = this.bodies.get(response);
    if (releases === undefined) return;
    for (const release of releases) release();
    this.bodies.delete(response);
    response.req.body = undefined;
  }

  /**
   * Makes room for the answer to a write or to a refused request, which cannot be refused: beyond the limits, answers end
   * that were not read, first the caller's own.
   */
  private makeRoom(caller: string, bytes: number): void {
    const { sent } = this.directions;
    const { callerBytes, processBytes } = this.config;
    for (const one of sent.unreadBy(caller)) {
      if (sent.bytesOf(caller) + bytes <= callerBytes) break;
      one.end();
    }
    while (sent.bytes + bytes > processBytes) {
      const victim = sent.victimFor(caller, bytes);
      if (victim === undefined) return;
      victim.end();
    }
  }

  private requireRoom(direction: Direction, caller: string, bytes: number): void {
    const hold = this.directions[direction];
    const { callerBytes, processBytes } = this.config;
    if (hold.bytesOf(caller) + bytes > callerBytes) throw tooMuch(direction, 'caller', callerBytes);
    while (hold.bytes + bytes > processBytes) {
      const victim = hold.victimFor(caller, bytes);
      if (victim === undefined) throw tooMuch(direction, 'process', processBytes);
      victim.end();
    }
  }

  private endWhenStalled(response: Response): void {
    if (this.watched.has(response)) return;
    this.watched.add(response);
    response.setTimeout(STALLED_MS, () => response.destroy());
  }
}

/** True for what is not counted. An answer behind others of its connection waits for their client, whatever its size. */
function isFree(direction: Direction, { socket }: Response, bytes: number): boolean {
  const isBehind = direction === 'sent' && socket?.writableLength !== 0;
  return bytes < SMALL_BYTES[direction] && !isBehind;
}

function tooMuch(direction: Direction, limit: 'caller' | 'process', max_bytes: number): DomainError {
  const message =
    direction === 'received'
      ? 'Too many bytes of request bodies are in progress; send this one when others are answered'
      : 'Too many bytes of answers are in progress; try again when you have read others';
  return new DomainError('TOO_MUCH_UNDER_WAY', message, { direction, limit, max_bytes });
}
