import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { letsIn, profile, tagId } from '../support/worlds/nodes.js';
import { MovableClock } from '../provenance/movable-clock.js';
import { onPostgres } from '../support/database.js';
import { type Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';
import { seedOf } from './random.js';

/** Steps name nodes and edges by the order in which they were made; a missing one is skipped. */
type Step =
  | { do: 'create'; tags: string[] }
  | { do: 'edit' | 'delete' | 'restore' | 'twice'; node: number; text: string }
  | { do: 'retag'; node: number; tags: string[] }
  | { do: 'join' | 'merge'; node: number; to: number }
  | { do: 'edit edge' | 'part'; edge: number; text: string };
type Wire = Record<string, unknown>;

const TAGS = ['open', 'shut', 'odd'];
const index = fc.nat(4);
const text = fc.string({ minLength: 1, maxLength: 3 });
const tags = fc.subarray(TAGS, { minLength: 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), tags }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('edit' as const, 'delete', 'restore', 'twice'),
      node: index,
      text,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('retag' as const), node: index, tags }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('join' as const), node: index, to: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('merge' as const), node: index, to: index }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('edit edge' as const, 'part'), edge: index, text }),
  },
);
/** Steps and the time since the previous one; steps at one moment are common. */
const story = fc.array(fc.tuple(step, fc.constantFrom(0, 0, 1, 7)), { minLength: 3, maxLength: 25 });

/**
 * A common beginning, without which most stories would have no edge to be wrong: planted faults were not
 * found.
 */
const beginning: [Step, number][] = [
  ...[0, 1, 2].map((): [Step, number] => [{ do: 'create', tags: ['open'] }, 1]),
  [{ do: 'join', node: 0, to: 1 }, 1],
  [{ do: 'join', node: 1, to: 2 }, 1],
];

/** The readable state at one moment, by reader. */
interface Moment {
  owner: Map<string, Wire>;
  app: Map<string, Wire>;
  edges: Map<string, Wire>;
}

describe('time travel', () => {
  let world: World;
  let clock: MovableClock;

  beforeAll(async () => {
    world = await World.startHere();
    clock = new MovableClock(world);
  });
  afterAll(() => world.stop());

  const byId = (list: Wire[]): Map<string, Wire> =>
    new Map(list.map(({ is_shared, ...one }) => (void is_shared, [one['id'] as string, one])));
  const seenBy = async (client: Client) =>
    byId((await client.get('/nodes?limit=100&include_tags=true')).body.nodes as Wire[]);

  class Run {
    readonly nodes: string[] = [];
    readonly edges: string[] = [];
    readonly moments = new Map<string, Moment>();

    constructor(
      readonly user: TestUser,
      readonly app: Client,
      readonly proposer: Client,
    ) {}

    async take(step: Step): Promise<void> {
      const node = 'node' in step ? this.nodes[step.node] : undefined;
      const edge = 'edge' in step ? this.edges[step.edge] : undefined;
      if (step.do === 'create') {
        const body = {
          title: 'new',
          node_type: 'note',
          tags: step.tags,
          metadata: { properties: { n: this.nodes.length } },
        };
        this.nodes.push((await this.user.post('/nodes', body)).body.id as string);
      } else if (step.do === 'edit' && node) await this.user.put(`/nodes/${node}`, { title: step.text });
      else if (step.do === 'twice' && node) {
        await this.user.put(`/nodes/${node}`, { value: step.text, importance_score: 0.5 });
        await this.user.put(`/nodes/${node}`, { value: `${step.text}!`, importance_score: null });
      } else if (step.do === 'delete' && node) await this.user.delete(`/nodes/${node}`);
      else if (step.do === 'restore' && node) await this.user.post(`/nodes/${node}/restore`);
      else if (step.do === 'retag' && node) await this.user.put(`/nodes/${node}`, { tags: step.tags });
      else if (step.do === 'join' && node && this.nodes[step.to]) {
        const body = { from_node_id: node, to_node_id: this.nodes[step.to], relationship_type: 'near' };
        const made = await this.user.post('/relationships', body);
        if (made.status === 201) this.edges.push(made.body.id as string);
      } else if (step.do === 'merge' && node && this.nodes[step.to]) {
        const canonical_data = { target_node_id: this.nodes[step.to], source_node_ids: [node] };
        const body = { title: 'one', type: 'MERGE_NODES', canonical_data };
        const { id } = (await this.proposer.post('/proposals', body)).body as { id: string };
        await this.proposer.patch(`/proposals/${id}`, { status: 'READY_FOR_APPROVAL' });
        await this.user.post(`/proposals/${id}/approve`, {});
        await this.user.post(`/proposals/${id}/apply`, {});
      } else if (step.do === 'edit edge' && edge)
        await this.user.put(`/relationships/${edge}`, { relationship_type: step.text });
      else if (step.do === 'part' && edge) await this.user.delete(`/relationships/${edge}`);
    }

    async record(): Promise<void> {
      const edges = (await this.user.get('/relationships?limit=200')).body.relationships as Wire[];
      const moment = { owner: await seenBy(this.user), app: await seenBy(this.app), edges: byId(edges) };
      this.moments.set(clock.now.toISOString(), moment);
    }

    /** The differences between the past as it is shown and as it was. */
    async faults(): Promise<string[]> {
      const faults: string[] = [];
      const expectSame = (what: string, told: unknown, was: unknown): void => {
        if (!isDeepStrictEqual(told, was))
          faults.push(`${what}: ${JSON.stringify(told)} was ${JSON.stringify(was)}`);
      };
      const readableNow = await seenBy(this.app);
      for (const [time, moment] of this.moments) {
        const { body } = await this.user.get(`/graph/snapshot?timestamp=${time}`);
        expectSame(
          `nodes at ${time}`,
          sorted(body.nodes as Wire[]),
          sorted([...moment.owner.values()].map(NODE)),
        );
        expectSame(
          `edges at ${time}`,
          sorted(body.relationships as Wire[]),
          sorted([...moment.edges.values()].map(EDGE)),
        );
        expectSame(
          `numbers at ${time}`,
          [body.total_nodes, body.total_relationships],
          [moment.owner.size, moment.edges.size],
        );
        for (const id of this.nodes) {
          const path = `/nodes/${id}/history/at-time?timestamp=${time}`;
          expectSame(`owner's ${path}`, (await this.user.get(path)).body.snapshot, moment.owner.get(id));
          const was = readableNow.has(id) ? moment.app.get(id) : undefined;
          expectSame(`app's ${path}`, (await this.app.get(path)).body.snapshot, was);
        }
      }
      for (const { owner, app } of this.moments.values()) {
        for (const [client, seen] of [
          [this.user, owner],
          [this.app, app],
        ] as const) {
          for (const [id, was] of seen) {
            if (client === this.app && !readableNow.has(id)) continue;
            const path = `/nodes/${id}/history/${was['version'] as number}`;
            expectSame(path, (await client.get(path)).body.snapshot, was);
          }
        }
      }
      return faults;
    }
  }

  const pick =
    (...fields: string[]) =>
    (from: Wire): Wire =>
      Object.fromEntries(fields.map((field) => [field, from[field]]));
  const NODE = pick('id', 'title', 'node_type', 'meaning_level', 'importance_score', 'created_at');
  const EDGE = pick('id', 'from_node_id', 'to_node_id', 'relationship_type', 'strength');
  const sorted = (list: Wire[]) =>
    [...list].sort((a, b) => ((a['id'] as string) < (b['id'] as string) ? -1 : 1));

  it('a graph at a point in time shows, for every moment of a random run, exactly the nodes readable at that time', async () => {
    const seed = seedOf('time travel');
    let moments = 0;
    const property = fc.asyncProperty(story, async (steps) => {
      const user = await world.user();
      const open = await tagId(user, 'open');
      const app = await letsIn(world, user, profile({ read: [open], discover: 'all' }));
      const run = new Run(user, app, await user.lets(await world.app()));
      for (const [step, later] of [...beginning, ...steps]) {
        clock.step(later);
        await run.take(step);
        await run.record();
      }
      clock.step();
      moments += run.moments.size;
      expect(await run.faults()).toEqual([]);
    });
    await fc.assert(property, { seed, numRuns: Number(process.env.RUNS ?? (onPostgres ? 12 : 6)) });
    expect(moments).toBeGreaterThan(10);
  }, 240_000);
});
