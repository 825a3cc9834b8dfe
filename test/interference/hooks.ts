import { type Chance } from '../properties/random.js';
import { type Answer, type Client } from '../support/client.js';
import { deliver, Receiver } from '../delivery/receiver.js';
import { type HashNames } from './hash-names.js';
import { type Both, difference, type Request, type Twins } from './twins.js';

const EVENTS = [
  'node.embedding.updated',
  ...['node', 'relationship', 'tag'].flatMap((entity) =>
    ['created', 'updated', 'deleted'].map((step) => `${entity}.${step}`),
  ),
];

/** The webhooks that a subject receives in both worlds. */
export class Hooks {
  private receivers: Both<Receiver> | null = null;

  constructor(
    private readonly twins: Twins,
    private readonly clients: Both<Client>,
    private readonly parts: { chance: Chance; names: Both<HashNames> },
  ) {}

  async subscribe(): Promise<void> {
    const receivers = [await Receiver.start(), await Receiver.start()] as const;
    this.receivers = receivers;
    const subscription = (side: 0 | 1): Request => ({
      method: 'POST',
      path: '/webhooks/subscribe',
      body: { webhook_url: receivers[side].url, events: EVENTS },
    });
    const answers = await this.twins.sendEach(this.clients, [subscription(0), subscription(1)], true);
    if (answers.some((answer) => (answer as Answer).status !== 201))
      throw new Error((answers[0] as Answer).text);
  }

  /** The difference between all deliveries so far; null without any. Some are refused, and come again. */
  async compare(): Promise<string | null> {
    if (this.receivers === null) return null;
    this.twins.pass();
    const status = this.parts.chance.once(3) ? 503 : 200;
    const heard: string[] = [];
    for (const side of [0, 1] as const) {
      const receiver = this.receivers[side];
      receiver.answer = status;
      await atLeisure(() => deliver(this.twins.worlds[side]));
      // Deliveries are sent concurrently; each carries the time of its event.
      const texts = receiver.received.map(({ text }) => text);
      heard.push(this.parts.names[side].in(texts.sort().join('\n')));
      receiver.clear();
    }
    return heard[0] === heard[1] ? null : difference(heard[0] as string, heard[1] as string);
  }

  async stop(): Promise<void> {
    for (const receiver of this.receivers ?? []) await receiver.stop();
  }
}

/**
 * Works while time passes a hundred times slower: after an attempt that a busy machine made slow, a service sends fewer
 * deliveries at once, and two worlds would differ by the machine.
 */
async function atLeisure(work: () => Promise<void>): Promise<void> {
  const now = performance.now.bind(performance);
  const start = now();
  performance.now = () => start + (now() - start) / 100;
  try {
    await work();
  } finally {
    performance.now = now;
  }
}
