import { Injectable } from '@nestjs/common';
import { lookup } from 'node:dns/promises';
import { Agent as PlainAgent, type IncomingMessage, request as overHttp } from 'node:http';
import { Agent as SecureAgent, request as overHttps } from 'node:https';
import { type Socket } from 'node:net';
import { type TLSSocket } from 'node:tls';
import { Config, type EmbeddingsSettings } from '../../../config/config.js';
import { Clock } from '../../../kernel/clock.js';
import { guardedLookup } from '../../../kernel/outgoing/guarded-lookup.js';
import { type Allowance, callableUrl } from '../../../kernel/outgoing/public-addresses.js';
import { ReceiverNames } from '../../../kernel/outgoing/receiver-names.js';
import { type UnitVector } from '../domain/embedding.js';
import { retryAfterMs, vectorsIn } from '../domain/embeddings-answer.js';

/** An answer of the service that computes vectors. */
export type Outcome =
  | { kind: 'vectors'; units: UnitVector[] }
  /** There was nothing to send any longer. */
  | { kind: 'unsent' }
  /** These texts are refused, whenever they are sent. */
  | { kind: 'refused'; status: number }
  /** `pauseMs`: the wait that the service demands of every request; null: none. */
  | { kind: 'failed'; reason: string; pauseMs: number | null };

/** The least wait where too many requests were sent and the answer names none. */
const LIMITED_MS = 10_000;
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const MAX_SOCKETS = 12;
const REFUSED = new Set([400, 413, 422]);
const TOO_MANY = 429;
const UNAVAILABLE = 503;
/** Statuses by which a service says that it is not used rightly: by a wrong key, address or model. */
const MISUSED = new Set([401, 403, 404, 405]);
const MISUSED_MS = 60_000;

interface Answer {
  status: number;
  retryAfter: string | undefined;
  text: string;
}

type Exchange = Answer | 'unsent' | 'stale' | { reason: string };

/**
 * Asks the operator's service for vectors (`POST {url}/embeddings` of OpenAI's protocol). The address is checked as
 * those of webhooks are: each address of its name, by the very look-up that connects (rule 9.6). It follows no redirects
 * and uses no proxy of the environment. Neither the key nor a text is a part of any outcome.
 */
@Injectable()
export class EmbeddingsClient {
  readonly settings: EmbeddingsSettings | null;
  private readonly allowance: Allowance;
  private readonly agent: PlainAgent;
  private pausedUntil = 0;
  private isClosed = false;

  constructor(
    { embeddings }: Config,
    private readonly clock: Clock,
  ) {
    this.settings = embeddings;
    const isPrivate = embeddings?.allowPrivate ?? false;
    this.allowance = { loopback: isPrivate, privateNetworks: isPrivate };
    const names = new ReceiverNames();
    // The hosts file counts where the operator allows private names.
    const resolve = (name: string) => (isPrivate ? lookup(name, { all: true }) : names.addressesOf(name));
    const options = {
      keepAlive: true,
      maxSockets: MAX_SOCKETS,
      lookup: guardedLookup(resolve, this.allowance),
    };
    this.agent = embeddings?.url.startsWith('https:') ? new SecureAgent(options) : new PlainAgent(options);
  }

  /** The time until which the service has asked not to be called, in milliseconds; null: it may be called. */
  get pause(): number | null {
    return this.pausedUntil > this.clock.now().getTime() ? this.pausedUntil : null;
  }

  /** Ends requests under way; later ones fail. */
  close(): void {
    this.isClosed = true;
    this.agent.destroy();
  }

  /**
   * @param compose called once the connection is open, so that nothing is sent that was withdrawn while it was made; null:
   *   there is nothing to send any longer
   */
  async embed(
    compose: () => Promise<readonly string[] | null>,
    { timeoutMs }: { timeoutMs: number },
  ): Promise<Outcome> {
    const { settings } = this;
    const url = settings && callableUrl(`${settings.url}/embeddings`, this.allowance);
    if (settings === null || url === null) return failed('address');
    if (this.isClosed) return failed('stopping');
    let count = 0;
    const body = async (): Promise<Buffer | null> => {
      const input = await compose();
      if (input === null || input.length === 0) return null;
      count = input.length;
      return Buffer.from(JSON.stringify({ model: settings.model, input, encoding_format: 'float' }));
    };
    const signal = AbortSignal.timeout(timeoutMs);
    let answer = await this.exchange(url, body, signal);
    // A kept connection may be closed by the other side just when it is used again.
    if (answer === 'stale' && !this.isClosed) answer = await this.exchange(url, body, signal);
    if (answer === 'unsent') return { kind: 'unsent' };
    if (answer === 'stale') return failed('connection');
    return 'reason' in answer ? failed(answer.reason) : this.judged(answer, count);
  }

  private async judged({ status, retryAfter, text }: Answer, count: number): Promise<Outcome> {
    if (status === 200) {
      const units = await vectorsIn(text, count);
      return units === null ? failed('answer') : { kind: 'vectors', units };
    }
    if (REFUSED.has(status)) return { kind: 'refused', status };
    const asked = retryAfterMs(retryAfter, this.clock.now());
    if (status === TOO_MANY) return this.paused(status, asked ?? LIMITED_MS);
    if (status === UNAVAILABLE && asked !== null) return this.paused(status, asked);
    if (MISUSED.has(status)) return this.paused(status, MISUSED_MS);
    return failed(`status ${status}`);
  }

  private paused(status: number, pauseMs: number): Outcome {
    this.pausedUntil = Math.max(this.pausedUntil, this.clock.now().getTime() + pauseMs);
    return { kind: 'failed', reason: `status ${status}`, pauseMs };
  }

  private exchange(url: URL, body: () => Promise<Buffer | null>, signal: AbortSignal): Promise<Exchange> {
    const { agent } = this;
    const apiKey = this.settings?.apiKey ?? null;
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/json',
      'User-Agent': 'personal-identity-graph',
      ...(apiKey === null ? {} : { Authorization: `Bearer ${apiKey}` }),
    };
    const open = url.protocol === 'https:' ? overHttps : overHttp;
    return new Promise((resolve, reject) => {
      let hasAnswer = false;
      const reasonNow = (): string => (signal.aborted ? 'time-out' : 'connection');
      const request = open(url, { method: 'POST', agent, headers, signal });
      const send = async (): Promise<void> => {
        const bytes = await body();
        if (bytes === null) {
          resolve('unsent');
          request.destroy();
        } else request.setHeader('Content-Length', bytes.length).end(bytes);
      };
      request
        .on('socket', (socket) =>
          onceOpen(
            socket,
            () =>
              void send().catch((error: unknown) => {
                request.destroy();
                reject(
                  error instanceof Error ? error : new Error('the texts cannot be read', { cause: error }),
                );
              }),
          ),
        )
        .on('response', (response) => {
          hasAnswer = true;
          void readAnswer(response).then(resolve, () => resolve({ reason: reasonNow() }));
        })
        .on('upgrade', (_response, socket) => {
          socket.destroy();
          resolve({ reason: 'answer' });
        })
        .on('error', () =>
          resolve(request.reusedSocket && !hasAnswer && !signal.aborted ? 'stale' : { reason: reasonNow() }),
        )
        .on('close', () => {
          if (!hasAnswer) resolve({ reason: reasonNow() });
        });
    });
  }
}

const failed = (reason: string): Outcome => ({ kind: 'failed', reason, pauseMs: null });

function onceOpen(socket: Socket, then: () => void): void {
  const { secureConnecting = false } = socket as TLSSocket & { secureConnecting?: boolean };
  if (!socket.connecting && !secureConnecting) then();
  else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', then);
}

async function readAnswer(response: IncomingMessage): Promise<Answer | { reason: string }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) {
      response.destroy();
      return { reason: 'answer' };
    }
    chunks.push(chunk);
  }
  if (!response.complete) return { reason: 'connection' };
  const { statusCode = 0, headers } = response;
  return {
    status: statusCode,
    retryAfter: headers['retry-after'],
    text: Buffer.concat(chunks).toString('utf8'),
  };
}
