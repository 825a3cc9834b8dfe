import { request } from 'node:http';
import { type Client } from '../support/client.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Page = any;

/** A page; throws if it is refused. */
export async function pull(
  client: Client,
  query: Record<string, string | number | boolean> = {},
): Promise<Page> {
  const answer = await client.get(`/sync?${textOf(query)}`);
  if (answer.status !== 200) throw new Error(`sync: ${answer.status} ${answer.text}`);
  return answer.body;
}

const textOf = (query: Record<string, string | number | boolean>): string =>
  new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
  ).toString();

/** The steps that a page asks the client to take. */
export const steps = (page: Page): unknown[] =>
  page.changes.map((entry: Page) =>
    entry.action === 'delete'
      ? ['delete', entry.node_id, entry.reason]
      : entry.action === 'create'
        ? ['create', entry.node.id]
        : ['update', entry.node.id, entry.changed_fields],
  );

export interface StreamEvent {
  id: string;
  event: string;
  data: Page;
}

/** A reader of server-sent events. */
export class EventReader {
  private text = '';
  private readonly events: StreamEvent[] = [];
  private readonly onNews = new Set<() => void>();
  hasEnded = false;

  private constructor(
    readonly status: number,
    private readonly close: () => void,
  ) {}

  static open(origin: string, path: string, headers: Record<string, string>): Promise<EventReader> {
    return new Promise((resolve, reject) => {
      const sent = request(`${origin}/api/v1${path}`, { headers, agent: false }, (response) => {
        const reader = new EventReader(response.statusCode as number, () => sent.destroy());
        response.setEncoding('utf8');
        response.on('data', (part: string) => reader.take(part));
        response.on('error', () => reader.end());
        response.on('close', () => reader.end());
        resolve(reader);
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  /** The next event that has not been returned yet. */
  async next(): Promise<StreamEvent> {
    for (;;) {
      const event = this.events.shift();
      if (event) return event;
      if (this.hasEnded) throw new Error('the stream has ended');
      await this.news();
    }
  }

  async ended(): Promise<void> {
    while (!this.hasEnded) await this.news();
  }

  leave(): void {
    this.close();
  }

  private news(): Promise<void> {
    return new Promise((resolve) => {
      const heard = (): void => {
        this.onNews.delete(heard);
        resolve();
      };
      this.onNews.add(heard);
    });
  }

  private take(part: string): void {
    this.text += part;
    for (let end = this.text.indexOf('\n\n'); end >= 0; end = this.text.indexOf('\n\n')) {
      const lines = this.text.slice(0, end).split('\n');
      this.text = this.text.slice(end + 2);
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const [id, event, data] = [field('id'), field('event'), field('data')];
      if (id !== undefined && event !== undefined && data !== undefined)
        this.events.push({ id, event, data: JSON.parse(data) });
    }
    for (const heard of [...this.onNews]) heard();
  }

  private end(): void {
    this.hasEnded = true;
    for (const heard of [...this.onNews]) heard();
  }
}
