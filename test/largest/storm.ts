import { Agent, request } from 'node:http';
import { type Chance } from '../properties/random.js';
import { type Operation } from '../support/operations.js';
import { type FullAccount } from './full-account.js';
import { type CallerName, callersOf, type LargestRequest, LargestRequests } from './largest-requests.js';

const PATIENCE_MS = 180_000;
/** A stream has no end. */
const STREAMED_MS = 1_000;
/** The length of the text that is remembered of a refusal; other answers are only counted. */
const KEPT = 400;

interface Outcome {
  status: number;
  retryAfter: boolean;
  bytes: number;
  text: string;
  ms: number;
}

export interface Asked {
  operation: string;
  caller: CallerName;
  status: number;
  ms: number;
  bytes: number;
}

/** Runs every operation on a full account, several at a time, and collects wrong answers. */
export class Storm {
  readonly asked: Asked[] = [];
  /** Answers of 5xx other than 503 with Retry-After, and requests without an answer. */
  readonly wrong: string[] = [];
  readonly #requests: LargestRequests;
  readonly #refusals = new Map<string, string>();
  // Each request has a connection of its own: one that is kept may end under the next.
  readonly #agent = new Agent();

  constructor(
    private readonly account: FullAccount,
    private readonly operations: readonly Operation[],
  ) {
    this.#requests = new LargestRequests(account);
  }

  /** Each operation once by each caller who may call it, in an order that chance decides. */
  async round(chance: Chance, atOnce: number): Promise<void> {
    const all = this.operations.flatMap((operation) =>
      callersOf(operation).map((caller) => ({ operation, caller, at: chance.below(1_000_000) })),
    );
    all.sort((a, b) => a.at - b.at);
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let index = next++; index < all.length; index = next++) {
        const { operation, caller } = all[index] as (typeof all)[number];
        await this.ask(operation, caller);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  }

  /**
   * Asks what was put off in all rounds again, one at a time and with nothing beside it, and all callers; several times,
   * because looks at schemas have a time limit that a busy machine may miss.
   * @returns operations that were never fulfilled, with the last answer to each
   */
  async unfulfilledWhenCalm(): Promise<string[]> {
    for (const operation of this.operations) {
      const callers = callersOf(operation);
      for (const caller of [...callers, ...callers, ...callers]) {
        if (this.isFulfilled(operation)) break;
        await this.ask(operation, caller);
      }
    }
    return this.operations
      .filter((operation) => !this.isFulfilled(operation))
      .map(({ name }) => `${name}: ${this.#refusals.get(name) ?? 'never asked'}`);
  }

  private isFulfilled({ name }: Operation): boolean {
    return this.asked.some(({ operation, status }) => operation === name && status > 0 && status < 400);
  }

  close(): void {
    this.#agent.destroy();
  }

  private async ask(operation: Operation, caller: CallerName): Promise<void> {
    let sent: LargestRequest;
    try {
      sent = await this.#requests.of(operation, caller);
    } catch (error) {
      // Its prerequisites could not be made: that, too, is an answer of the service.
      const text = String((error as Error).message).slice(0, KEPT);
      this.#refusals.set(operation.name, `before it: ${text}`);
      if (!/answered (4|503)/.test(text)) this.wrong.push(`before ${operation.name} by ${caller}: ${text}`);
      return;
    }
    const { status, retryAfter, bytes, text, ms } = await this.exchange(sent);
    this.asked.push({ operation: operation.name, caller, status, ms, bytes });
    if (status >= 400) this.#refusals.set(operation.name, `${status} ${text}`);
    const isProper = status > 0 && (status < 500 || (status === 503 && retryAfter));
    if (!isProper) this.wrong.push(`${sent.name} by ${caller}: ${status} after ${ms.toFixed(0)} ms ${text}`);
  }

  private exchange({ method, path, headers, body }: LargestRequest): Promise<Outcome> {
    const { origin } = this.account.owner;
    const url = path.startsWith('//') ? `${origin}${path.slice(1)}` : `${origin}/api/v1${path}`;
    const payload = body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const whole = {
      ...(payload === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(payload) }),
      ...headers,
    };
    const begun = performance.now();
    return new Promise((resolve) => {
      const end = (status: number, text: string, rest: Partial<Outcome> = {}): void =>
        resolve({ status, text, retryAfter: false, bytes: 0, ms: performance.now() - begun, ...rest });
      const sent = request(url, { method, headers: whole, agent: this.#agent }, (response) => {
        const status = response.statusCode as number;
        const retryAfter = response.headers['retry-after'] !== undefined;
        let bytes = 0;
        let text = '';
        response.on('data', (part: Buffer) => {
          bytes += part.length;
          if (status >= 400 && text.length < KEPT) text += part.toString('utf8');
        });
        response.on('error', (error) => end(0, `broken off: ${error.message}`));
        response.on('end', () => end(status, text.slice(0, KEPT), { bytes, retryAfter }));
        if (!/event-stream/.test(response.headers['content-type'] ?? '')) return;
        setTimeout(() => {
          end(status, '', { bytes });
          response.destroy();
        }, STREAMED_MS);
      });
      sent.on('error', (error) => end(0, error.message));
      sent.setTimeout(PATIENCE_MS, () => sent.destroy(new Error('no answer')));
      sent.end(payload);
    });
  }
}
