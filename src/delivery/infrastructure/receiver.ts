import { Injectable } from '@nestjs/common';
import { type LookupAddress } from 'node:dns';
import { request as overHttp, type RequestOptions } from 'node:http';
import { request as overHttps } from 'node:https';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { Config } from '../../config/config.js';
import { guardedLookup } from '../../kernel/outgoing/guarded-lookup.js';
import { type Allowance, hostOf, isCallable, callableUrl } from '../../kernel/outgoing/public-addresses.js';
import { PausableTimeout } from './pausable-timeout.js';
import { ReceiverNames } from '../../kernel/outgoing/receiver-names.js';

/** The time in which an answer counts (specification, Retry policy; rule 9.2a). */
const ANSWER_TIMEOUT_MS = 5_000;
const LOOKUP_TIMEOUT_MS = 2_000;
/** The delay of our own after which a receiver that hangs up is not to blame. */
const MAX_OWN_DELAY_MS = 1_000;

/** A signed message to a receiver. */
export interface SignedRequest {
  headers: Record<string, string>;
  body: string;
}

/**
 * Calls receivers. Every address of a name is checked by the very look-up that connects, so that neither a changed DNS
 * answer nor a literal reaches private networks (rule 9.6). It follows no redirects and uses no proxy of the
 * environment.
 */
@Injectable()
export class Receivers {
  private readonly allowance: Allowance;
  private readonly names = new ReceiverNames();
  /** Resolves a name; replaced by tests. */
  resolve: (name: string) => Promise<LookupAddress[]> = (name) => this.names.addressesOf(name);

  constructor({ webhookAllowPrivate }: Config) {
    this.allowance = { loopback: webhookAllowPrivate };
  }

  /** True if a subscription may name the address. A name that does not resolve (yet) is accepted. */
  async mayCall(text: string): Promise<boolean> {
    const url = callableUrl(text, this.allowance);
    if (url === null) return false;
    const host = hostOf(url);
    if (isIP(host)) return true;
    const addresses = await this.resolveInTime(host);
    return addresses.every(({ address }) => isCallable(address, this.allowance));
  }

  /**
   * Connects before the message is composed: connecting can take seconds, and the message must be current when it is
   * written.
   * @param compose null: there is nothing to send (any longer). Its time does not count against the receiver
   * @returns 'unsent': nothing was written, because there was nothing to send or because of us; the status of the
   *   answer; null: no answer in time, or the address may not be called
   */
  async post(text: string, compose: () => Promise<SignedRequest | null>): Promise<number | 'unsent' | null> {
    const url = callableUrl(text, this.allowance);
    if (url === null) return null;
    const timeout = new PausableTimeout(ANSWER_TIMEOUT_MS);
    const socket = await this.connect(url, timeout.signal);
    try {
      if (socket === null) return null;
      timeout.pause();
      const since = performance.now();
      const message = await compose();
      const wasDelayed = performance.now() - since > MAX_OWN_DELAY_MS;
      if (message === null || (socket.destroyed && wasDelayed)) return 'unsent';
      timeout.resume();
      return await send(url, socket, message);
    } finally {
      timeout.pause();
      socket?.destroy();
    }
  }

  /** @param signal aborts everything that is done with the connection */
  private connect(url: URL, signal: AbortSignal): Promise<Socket | null> {
    const host = hostOf(url);
    const isSecure = url.protocol === 'https:';
    const to = { host, port: Number(url.port) || (isSecure ? 443 : 80), lookup: this.lookup };
    const socket = isSecure
      ? connectTls({ ...to, servername: isIP(host) ? '' : host, ALPNProtocols: ['http/1.1'] })
      : connectTcp(to);
    addAbortSignal(signal, socket).on('error', () => undefined);
    return new Promise((done) =>
      socket.once(isSecure ? 'secureConnect' : 'connect', () => done(socket)).once('close', () => done(null)),
    );
  }

  private async resolveInTime(name: string): Promise<LookupAddress[]> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<LookupAddress[]>(
      (done) => (timer = setTimeout(() => done([]), LOOKUP_TIMEOUT_MS)),
    );
    const answer = this.resolve(name).catch(() => []);
    return Promise.race([answer, timeout]).finally(() => clearTimeout(timer));
  }

  private readonly lookup: LookupFunction = (name, options, answer) =>
    guardedLookup((sought) => this.resolve(sought), this.allowance)(name, options, answer);
}

/** Sends it over an open connection. */
export function send(url: URL, socket: Socket, { headers, body }: SignedRequest): Promise<number | null> {
  if (socket.destroyed) return Promise.resolve(null);
  const options: RequestOptions = {
    method: 'POST',
    createConnection: () => socket,
    // Without an agent Node assumes 80 as the default port of https as well, and names it in Host.
    defaultPort: url.protocol === 'https:' ? 443 : 80,
    headers: {
      ...headers,
      'Content-Length': Buffer.byteLength(body),
      'User-Agent': 'personal-identity-graph',
    },
  };
  const request = url.protocol === 'https:' ? overHttps : overHttp;
  return new Promise((resolve) => {
    socket.once('close', () => resolve(null));
    const sent = request(url, options, (answer) => {
      // The body of the answer is not needed, and could be endless.
      answer.on('error', () => undefined).destroy();
      resolve(answer.statusCode ?? null);
    });
    // Without this listener a 101 causes neither a response nor an error, and the worker would wait without end.
    sent.on('upgrade', ({ statusCode }, upgraded) => {
      upgraded.destroy();
      resolve(statusCode ?? null);
    });
    sent
      .on('error', () => resolve(null))
      .on('close', () => resolve(null))
      .end(body);
  });
}
