import { type Answer } from '../support/client.js';
import { deliver, Receiver } from '../delivery/receiver.js';
import { Chance } from '../properties/random.js';
import { Life } from './life.js';
import { line } from './secret-life.js';
import { openingOf } from './opening.js';
import { askable, RandomRequests } from './random-requests.js';
import { InnerRequests } from './inner-requests.js';
import { isApp, isInner, type Subject } from './subjects.js';
import { type Both, comparableAnswer, DELIVERIES, difference, type Request, type Twins } from './twins.js';

const EVENTS = ['created', 'updated', 'deleted', 'embedding.updated'].map((name) => `node.${name}`);

export interface Plan {
  subject: Subject;
  seed: number;
  /** Requests of the subject. */
  most: number;
  /** Operations to ask for; all, where it is left out. */
  only?: RegExp;
  /** Told of each answer to a pair. */
  heard?: (operation: string, status: number) => void;
}

export interface Told {
  pairs: number;
  /** Null: no answer differed. */
  finding: string | null;
}

/** One subject's life beside Alice, in both worlds, until an answer differs. */
export async function tell(twins: Twins, { subject, seed, most, only, heard }: Plan): Promise<Told> {
  const chance = new Chance(seed);
  const all = askable(twins.operations);
  const operations = only === undefined ? all : all.filter(({ name }) => only.test(name));
  const life = await Life.begin(twins, subject, chance);
  const caller: 'key' | 'user' = isApp(subject) || subject === "receiver's app" ? 'key' : 'user';
  const random = new RandomRequests(chance, life.pool, life.tagNames, caller);
  const requests = isInner(subject) ? new InnerRequests(chance, life.pool, random) : random;
  const opening = only === undefined ? openingOf(caller, life.tagging.shown) : [];
  const hooks = new Hooks(twins, life);
  const story = (pair: number, what: string): string =>
    [`${subject}, pair ${pair}:`, ...life.told.slice(-14), what].join('\n  ');
  try {
    if (isApp(subject) && subject !== 'stranger app') await hooks.subscribe();
    for (let pair = 1; pair <= most; pair++) {
      if (chance.once(6)) await life.secretStep();
      if (chance.once(10)) await life.openStep();
      const request: Request & { name?: string } =
        opening[pair - 1] ?? requests.next(operations, pair === most);
      twins.looks();
      const answers = await twins.send(life.clients, request);
      const looks = twins.looks();
      heard?.(request.name ?? `${request.method} /api/v1${request.path}`, answers[0].status);
      const [one, other] = answers.map((answer) => comparableAnswer(answer, request.path)) as [
        string,
        string,
      ];
      if (one !== other)
        return { pairs: pair, finding: story(pair, `${line(request)}\n  ${difference(one, other)}`) };
      if (isInner(subject) && looks[0] !== looks[1])
        return { pairs: pair, finding: story(pair, `${line(request)} looks: ${difference(...looks)}`) };
      if (answers[0].status >= 500) return { pairs: pair, finding: story(pair, `${line(request)} ${one}`) };
      if (answers[0].status === 404) life.pool.misses(request.path);
      if (request.method !== 'GET') life.told.push(`asked: ${line(request)} ${answers[0].status}`);
      if (answers[0].status < 300 && !DELIVERIES.test(request.path) && !/\/events/.test(request.path))
        life.pool.feed(request.path, answers[0].body);
      if (pair % 50 === 0) {
        const told = await hooks.compare();
        if (told !== null) return { pairs: pair, finding: story(pair, `webhooks: ${told}`) };
      }
    }
    return { pairs: most, finding: null };
  } finally {
    await hooks.stop();
  }
}

/** What the subject's webhooks hear, in both worlds. */
class Hooks {
  private receivers: Both<Receiver> | null = null;

  constructor(
    private readonly twins: Twins,
    private readonly life: Life,
  ) {}

  async subscribe(): Promise<void> {
    const receivers = [await Receiver.start(), await Receiver.start()] as const;
    const subscription = (side: 0 | 1): Request => ({
      method: 'POST',
      path: '/webhooks/subscribe',
      body: { webhook_url: receivers[side].url, events: EVENTS },
    });
    const answers = await this.twins.sendEach(this.life.clients, [subscription(0), subscription(1)], true);
    if (answers.some((answer) => (answer as Answer).status !== 201))
      throw new Error((answers[0] as Answer).text);
    this.receivers = receivers;
  }

  /** Where the deliveries so far differ; null where they do not. */
  async compare(): Promise<string | null> {
    if (this.receivers === null) return null;
    const heard: string[] = [];
    for (const side of [0, 1] as const) {
      await deliver(this.twins.worlds[side]);
      // Deliveries are made side by side; each carries the time of its event.
      heard.push(
        this.receivers[side].received
          .map(({ text }) => text)
          .sort()
          .join('\n'),
      );
      this.receivers[side].clear();
    }
    return heard[0] === heard[1] ? null : difference(heard[0] as string, heard[1] as string);
  }

  async stop(): Promise<void> {
    for (const receiver of this.receivers ?? []) await receiver.stop();
  }
}
