import { generateKeyPairSync } from 'node:crypto';
import { type Answer, type Client } from '../support/client.js';
import { type Operation, operationsOf } from '../support/operations.js';
import { World } from '../support/world.js';
import { Clock } from '../../src/kernel/clock.js';
import { drawIdsByRequest } from './drawn-ids.js';
import { attemptInOrder } from './ordered-attempts.js';
import { Watch } from './watch.js';

/** One caller in both worlds. */
export type Both<T> = readonly [T, T];

export interface Request {
  method: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The values validated against schemas, and the statements that the database received. */
export interface Work {
  tasks: Both<string>;
  statements: Both<string>;
}

/** The address that both worlds have. */
export const ORIGIN = 'https://graph.example.org';

const ENVIRONMENT = {
  // Webhooks leave when the rig drains both worlds: a worker that wakes by itself does so sooner in one of them.
  WEBHOOK_WORKERS: 'false',
  // Short waits, so that retries happen within a story, whose time advances by RETRIES_MS at once.
  WEBHOOK_RETRY_SECONDS: '1,1,1,1,1',
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  PUBLIC_URL: ORIGIN,
  JWT_PRIVATE_KEY: generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString(),
};

const RETRIES_MS = 2000;

/** Each world's webhooks go to a port of their own. */
const HOOK = /http:\/\/127\.0\.0\.1:\d+\/in/g;

/** Shown once or sealed again each time; their lengths are compared. */
const SECRETS =
  /"(api_key|user_key|access_token|refresh_token|secret|prefix|last_four|cursor|next_cursor|ticket)":"([^"]*)"/g;

/** Two services that draw the same ids and have the same time, so that only their contents can differ. */
export class Twins {
  /** Milliseconds since the beginning of this run; both clocks stand still between two steps. */
  private moment = Date.now();
  private count = 0;

  /** Callers without any credential. */
  readonly strangers: Both<Client>;
  readonly operations: Operation[];

  private readonly watches: Both<Watch>;

  private constructor(readonly worlds: Both<World>) {
    this.watches = [new Watch(worlds[0]), new Watch(worlds[1])];
    for (const world of worlds) {
      const { nest } = world;
      attemptInOrder(world);
      drawIdsByRequest(nest.getHttpServer());
      nest.get(Clock).now = () => new Date(this.moment);
    }
    this.strangers = [worlds[0].api, worlds[1].api];
    this.operations = operationsOf(worlds[0].nest);
  }

  /** Sends each world its request, under one id, and reports the work that it caused in each. */
  async watched(
    clients: Both<Client>,
    requests: Both<Request>,
  ): Promise<{ answers: Both<Answer>; work: Work }> {
    const id = this.step();
    for (const watch of this.watches) {
      watch.tasks();
      watch.listen(id);
    }
    const answers = await Promise.all([sent(clients[0], requests[0], id), sent(clients[1], requests[1], id)]);
    const [one, other] = this.watches;
    return { answers, work: { tasks: [one.tasks(), other.tasks()], statements: [one.of(id), other.of(id)] } };
  }

  static async start(): Promise<Twins> {
    return new Twins([await World.startHere(ENVIRONMENT), await World.startHere(ENVIRONMENT)]);
  }

  async stop(): Promise<void> {
    for (const world of this.worlds) await world.stop();
  }

  /** The next step: a later moment, and ids that no other step has. */
  step(): string {
    this.moment += 2;
    return `step-${++this.count}`;
  }

  /** Advances far enough for a failed webhook to be retried. */
  pass(): void {
    this.moment += RETRIES_MS;
  }

  /** Sets the clocks to the machine's time, by which tokens are judged. */
  catchUp(): void {
    this.moment = Math.max(Date.now(), this.moment + 1);
  }

  /** The same request in both worlds. */
  async send(clients: Both<Client>, request: Request): Promise<Both<Answer>> {
    const id = this.step();
    return Promise.all([sent(clients[0], request, id), sent(clients[1], request, id)]);
  }

  /** The same request in both worlds, which must succeed. */
  async made(clients: Both<Client>, path: string, body: object): Promise<Answer> {
    const [answer, other] = await this.send(clients, { method: 'POST', path, body });
    if (answer.status >= 300 || other.status !== answer.status)
      throw new Error(`${path}: ${answer.text} ${other.text}`);
    return answer;
  }

  /** Sends each world its own request; their ids are the same if the requests have one number. */
  async sendEach(
    clients: Both<Client>,
    requests: Both<Request | null>,
    share: boolean,
  ): Promise<Both<Answer | null>> {
    const id = this.step();
    const answer = (side: 0 | 1): Promise<Answer> | null => {
      const request = requests[side];
      return request && sent(clients[side], request, share ? id : `${id}-${side}`);
    };
    return Promise.all([answer(0), answer(1)]);
  }
}

const sent = (client: Client, { method, path, body, headers }: Request, id: string): Promise<Answer> =>
  client.send(method, path, body, { headers: { ...headers, 'X-Request-Id': id } });

/** Paths whose answers contain ids that a worker drew. */
export const DELIVERIES = /^\/webhooks\/(deliveries|subscription\/test)/;

/** The comparable part of an answer: everything but the date and secret or sealed texts. */
export function comparableAnswer({ status, text, headers }: Answer, path: string): string {
  const { date, ...heads } = headers;
  void date;
  const masked = text
    .replace(HOOK, 'http://hook/')
    .replace(SECRETS, (_, key: string, secret: string) => `"${key}":"<${secret.length}>"`);
  // Deliveries are planned by workers, outside of requests with their common ids.
  if (DELIVERIES.test(path))
    return JSON.stringify([status, heads, masked.replace(/"(id|delivery_id)":"[^"]*"/g, '"$1":"<>"')]);
  // An event's id is its position among all of the owner's, sealed.
  if (/^\/proposals\/events/.test(path))
    return JSON.stringify([status, heads, masked.replace(/"id":"[^"]*","event":/g, '"id":"<>","event":')]);
  // The text first: if it differs, its length in the head differs as well, and says less.
  return JSON.stringify([status, masked, heads], null, 1);
}

/** The place from which two texts differ. */
export function difference(a: string, b: string): string {
  const at = [...a].findIndex((character, index) => character !== b[index]);
  const from = Math.max(0, at === -1 ? a.length - 40 : at - 160);
  return [a, b].map((text) => `…${text.slice(from, from + 400)}`).join('\n  ');
}
