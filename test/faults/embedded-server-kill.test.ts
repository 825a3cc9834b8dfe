import { type Answer, type Client } from '../support/client.js';
import { Workshop } from '../support/server.js';

/** The number of kills; KILLS=50 for a long run. */
const KILLS = Number(process.env.KILLS ?? 6);
const WRITERS = 8;
const BATCH = 20;

/** The writes that the service has acknowledged, and the callers that wait for a number of them. */
class Acknowledged {
  readonly titles = new Set<string>();
  private wanted = Infinity;
  private enough: () => void = () => undefined;

  add(title: string): void {
    this.titles.add(title);
    if (this.titles.size >= this.wanted) this.enough();
  }

  more(count: number): Promise<void> {
    this.wanted = this.titles.size + count;
    return new Promise((enough) => (this.enough = enough));
  }
}

/** Writes until the connection breaks; every acknowledged write must exist afterwards. */
async function write(client: Client, name: string, acknowledged: Acknowledged): Promise<void> {
  const isBatch = name.endsWith('w0');
  for (let number = 0; ; number++) {
    const title = `${name} n${number}`;
    const body = { title, node_type: 'NOTE', tags: ['load'] };
    const batch = (): object[] =>
      Array.from({ length: BATCH }, (_, index) => ({ ...body, title: `${title} b${index}` }));
    const sent = isBatch ? client.post('/nodes/batch', { nodes: batch() }) : client.post('/nodes', body);
    const answer = await sent.catch((): Answer | null => null);
    if (answer === null) return;
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
    acknowledged.add(title);
  }
}

async function storedTitles(client: Client): Promise<string[]> {
  const titles: string[] = [];
  for (;;) {
    const { body } = await client.get(`/nodes?limit=100&offset=${titles.length}&sort=created_at&order=asc`);
    titles.push(...body.nodes.map(({ title }: { title: string }) => title));
    if (titles.length >= body.total) return titles;
  }
}

describe('kill -9 under load, embedded database', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.clear());

  it(`loses no acknowledged write and keeps no half batch in ${KILLS} kills`, async () => {
    const directory = await workshop.usedDirectory();
    const start = () => workshop.serve({ DATA_DIR: directory });
    let server = await start();
    const acknowledged = new Acknowledged();
    const starts: number[] = [];
    for (let round = 0; round < KILLS; round++) {
      const client = await server.logIn();
      const enough = acknowledged.more(20 + Math.floor(Math.random() * 60));
      const writing = Promise.all(
        Array.from({ length: WRITERS }, (_, writer) => write(client, `r${round} w${writer}`, acknowledged)),
      );
      // Writers end only when the connection breaks, so that an unexpected answer fails the test here.
      await Promise.race([enough, writing]);
      await server.kill();
      await writing;
      server = await start();
      starts.push(Math.round(server.startedIn));
    }
    const titles = await storedTitles(await server.logIn());
    const found = new Set(titles);
    expect(found.size).toBe(titles.length);
    starts.sort((a, b) => a - b);
    console.log(
      `${acknowledged.titles.size} acknowledged writes, ${found.size} nodes, ${KILLS} kills; ready again after ` +
        `${starts[starts.length >> 1]} ms (median), ${starts.at(-1)} ms (slowest)`,
    );
    expect(
      [...acknowledged.titles].filter((title) => !found.has(title) && !found.has(`${title} b0`)),
    ).toEqual([]);
    const batches = new Map<string, number>();
    for (const title of found) {
      const [, name] = /^(.*) b\d+$/.exec(title) ?? [];
      if (name !== undefined) batches.set(name, (batches.get(name) ?? 0) + 1);
    }
    expect([...batches].filter(([, size]) => size !== BATCH)).toEqual([]);
  }, 900_000);
});
