import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { once } from 'node:events';
import { type IncomingMessage, request as send, type RequestOptions, type Server } from 'node:http';
import { type Duplex } from 'node:stream';
import { type CounterValues } from './change-log/owner-counters.js';
import { type RequestRights } from './request-rights.js';
import { streamPair } from './stream-pair.js';

/** The facts of the outer request for which an inner one is sent. */
export interface Origin {
  /** The address of its client. */
  address: string;
  /** The tool, or another named operation, that sends it. */
  tool: string;
  /** Its rights: once an inner request has committed, its answer acknowledges a write. */
  rights?: RequestRights | undefined;
  /** Absent where there is no outer request. */
  counters?: OuterCounters;
}

/** The counters by which an outer request was admitted, for the first of its inner ones. */
export interface OuterCounters {
  /** Null once they are taken. */
  values: ReadonlyMap<string, CounterValues> | null;
  /** The time when the outer request began, by `performance.now()`. */
  since: number;
}

/** The age up to which an outer request's counters are as good as new ones: both were read since its client sent it. */
const FRESH_MS = 100;

export interface InnerRequest {
  method: string;
  /** The path with its query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  /** Ends the request when it is aborted. */
  signal: AbortSignal;
}

const origins = new WeakMap<object, Origin>();

/** The origin of a request that this process sent to itself; undefined for one of a client. */
export const originOf = ({ socket }: Pick<IncomingMessage, 'socket'>): Origin | undefined =>
  origins.get(socket);

/**
 * The counters of these ids as the outer request has just read them. Only the first inner request gets them, once: what
 * comes later, or is decided again, must see what was committed meanwhile. Null where they must be read.
 */
export function takeOuterCounters(
  request: Pick<IncomingMessage, 'socket'>,
  ids: readonly string[],
): ReadonlyMap<string, CounterValues> | null {
  const known = originOf(request)?.counters;
  const values = known?.values;
  if (known === undefined || !values) return null;
  known.values = null;
  const isFresh = performance.now() - known.since < FRESH_MS;
  return isFresh && ids.every((id) => values.has(id)) ? values : null;
}

/**
 * Sends requests of the service to itself over connections inside the process. Another protocol's door is then a client
 * of the API: every guard, limit, log and presenter decides for it as for each other request, so that no answer can
 * differ (ADR 93).
 */
@Injectable()
export class InnerRequests {
  constructor(private readonly host: HttpAdapterHost) {}

  /** Resolves with the head of the answer; its body is still to be read. Rejects where `signal` is aborted. */
  async send(
    origin: Origin,
    { method, path, headers, body, signal }: InnerRequest,
  ): Promise<IncomingMessage> {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    const [client, served] = streamPair();
    Object.defineProperty(served, 'remoteAddress', { value: origin.address });
    origins.set(served, origin);
    const request = send({
      method,
      path,
      signal,
      headers: { Host: 'inner', ...headers, ...lengthOf(body) },
      createConnection: (): Duplex => client,
    } as RequestOptions);
    // Once the head has arrived, an end is seen by the reader of the body.
    request.on('error', () => undefined);
    server.emit('connection', served);
    // Bytes, because Node writes the head in the encoding of a text.
    request.end(body === undefined ? undefined : Buffer.from(body));
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    return answer;
  }
}

const lengthOf = (body: string | undefined): Record<string, number> =>
  body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
