import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Client } from '../../test/support/client.js';
import { nodesOf } from './people.js';

/** Writers that never stop, with a ledger of their answers. */
export class Writers {
  /** Titles whose write was answered with 201. */
  readonly acknowledged: string[] = [];
  /** Answers that are neither a success nor a proper refusal for now. */
  readonly wrong: string[] = [];
  refused = 0;
  unanswered = 0;
  #isOver = false;
  #number = 0;
  readonly #running: Promise<void>[];

  /** @param clients used in turn, as behind a proxy */
  constructor(
    private readonly clients: readonly (() => Client)[],
    count = 8,
    private readonly mayBreak = false,
  ) {
    this.#running = Array.from({ length: count }, () => this.write());
  }

  /** Resolves when that many more writes have been acknowledged or refused. */
  async until(more: { acknowledged?: number; refused?: number }): Promise<void> {
    const acknowledged = this.acknowledged.length + (more.acknowledged ?? 0);
    const refused = this.refused + (more.refused ?? 0);
    while (this.acknowledged.length < acknowledged || this.refused < refused) await sleep(2);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }

  /** Acknowledged nodes that are missing. */
  async lost(client: Client): Promise<string[]> {
    const found = new Set((await nodesOf(client)).values());
    return this.acknowledged.filter((title) => !found.has(title));
  }

  private async write(): Promise<void> {
    while (!this.#isOver) {
      const number = this.#number++;
      const title = `write ${number}`;
      const client = (this.clients[number % this.clients.length] as () => Client)();
      const answer: Answer | Error = await client
        .post('/nodes', { title, node_type: 'NOTE' })
        .catch((error: Error) => error);
      if (answer instanceof Error) {
        this.unanswered += 1;
        if (!this.mayBreak) this.wrong.push(answer.message);
        await sleep(20);
      } else if (answer.status === 201) this.acknowledged.push(title);
      else if (answer.status === 503 && answer.body.error?.request_id) {
        this.refused += 1;
        await sleep(5);
      } else this.wrong.push(`${answer.status} ${answer.text}`);
    }
  }
}
