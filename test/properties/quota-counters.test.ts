import { BlobSweep } from '../../src/graph/files/application/blob-sweep.js';
import { Importer } from '../../src/import/index.js';
import { Database } from '../../src/kernel/database/database.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { sql } from '../../src/kernel/database/sql.js';
import { Accesses } from '../../src/privacy/index.js';
import { joins } from '../support/worlds/people.js';
import { upload } from '../support/worlds/files.js';
import { letsIn, profile } from '../support/worlds/nodes.js';
import { readVaultOf } from '../import/temporary-vault.js';
import { exported, imports, zipped } from '../portability/archives.js';
import { type Answer, type Client } from '../support/client.js';
import { miscounted } from '../support/counted.js';
import { type TestUser, World } from '../support/world.js';
import { Chance, seedOf } from './random.js';

/** Far below the writes of a story, so that many of its requests are refused. */
const TIGHT =
  'nodes=12, relationships=6, tags=9, all_tags=14, schemas=3, apps=3, groups=2, exposure_profiles=5, graph_bytes=96KiB, file_bytes=120';
const STEPS = Number(process.env.STEPS ?? 250);

type Step = (story: Story) => Promise<unknown>;

/**
 * The things that one person and the people around them have made so far; steps name things that may be
 * deleted meanwhile.
 */
class Story {
  readonly nodes: string[] = [];
  readonly edges: string[] = [];
  readonly schemas: string[] = [];
  readonly apps: string[] = [];
  readonly groups: string[] = [];
  readonly profiles: string[] = [];
  readonly proposals: string[] = [];
  readonly answers = new Map<number, number>();
  private number = 0;

  constructor(
    readonly world: World,
    readonly chance: Chance,
    readonly user: TestUser,
    readonly friend: TestUser,
    readonly app: Client,
  ) {}

  word = (): string => `${this.chance.below(1000)} ${'x'.repeat(this.chance.below(400))}`;
  tags = (): string[] => [`t${this.chance.below(14)}`, ...this.chance.some(['a', 'b', 'c'])];
  node = (): string => this.pick(this.nodes);
  pick = (list: readonly string[]): string =>
    list.length === 0 ? '0b8f5a52-6a9e-4c0e-9f3e-0d2f3c1a7b11' : this.chance.pick(list.slice(-6));
  by = (): Client => (this.chance.once(3) ? this.app : this.user);
  content = (): object => ({
    title: `${++this.number}`,
    value: this.word(),
    node_type: 'note',
    tags: this.tags(),
  });

  keep(list: string[], { status, body }: Answer): void {
    if (status === 201 && typeof body.id === 'string') list.push(body.id);
  }

  async take(step: Step): Promise<void> {
    const answer = (await step(this)) as Answer | undefined;
    const status = answer?.status;
    if (status === undefined) return;
    if (status >= 500) throw new Error(answer?.text);
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
  }
}

const kept = async (story: Story, list: string[], request: Promise<Answer>): Promise<Answer> => {
  const answer = await request;
  story.keep(list, answer);
  return answer;
};

const STEPS_OF_ALL: Step[] = [
  (s) => kept(s, s.nodes, s.by().post('/nodes', s.content())),
  (s) => kept(s, s.nodes, s.by().post('/nodes', s.content())),
  (s) => Promise.all([1, 2, 3].map(() => kept(s, s.nodes, s.by().post('/nodes', s.content())))),
  (s) =>
    kept(
      s,
      s.nodes,
      s.user.post('/nodes', s.content(), { headers: { 'Idempotency-Key': `${s.chance.below(20)}` } }),
    ),
  async (s) => {
    const nodes = Array.from({ length: 1 + s.chance.below(5) }, () => s.content());
    const answer = await s.by().post('/nodes/batch', { nodes, on_duplicate: 'skip' });
    for (const { id } of answer.body.created ?? answer.body.nodes ?? []) s.nodes.push(id);
    return answer;
  },
  (s) => s.by().put(`/nodes/${s.node()}`, { value: s.word(), metadata: { properties: { a: s.word() } } }),
  (s) => s.user.put(`/nodes/${s.node()}`, { tags: s.tags() }),
  (s) => s.user.delete(`/nodes/${s.node()}`),
  (s) => s.user.post(`/nodes/${s.node()}/restore`),
  (s) => s.user.post('/nodes/bulk-delete', { node_ids: [s.node(), s.node()] }),
  (s) => s.user.put(`/nodes/${s.node()}/embedding`, { embedding: [1, 2, 3].slice(s.chance.below(3)) }),
  (s) =>
    s.user.put('/nodes/batch/embeddings', {
      embeddings: [s.node(), s.node()].map((id) => ({
        id,
        embedding: [0.1, 0.2],
        model: s.pick(['m', 'n']),
      })),
    }),
  async (s) => s.user.delete(`/nodes/${s.node()}/tags/${await tagOf(s)}`),
  async (s) => s.user.post(`/nodes/${s.node()}/tags`, { tag_id: await tagOf(s) }),
  (s) => s.user.post('/tags', { name: `t${s.chance.below(14)}` }),
  async (s) => s.user.put(`/tags/${await tagOf(s)}`, { description: s.word() }),
  async (s) => s.user.delete(`/tags/${await tagOf(s)}`),
  async (s) => s.user.post('/tags/bulk-delete', { tag_ids: [await tagOf(s)] }),
  (s) =>
    kept(
      s,
      s.edges,
      s.user.post('/relationships', {
        from_node_id: s.node(),
        to_node_id: s.node(),
        relationship_type: s.pick(['near', 'far']),
        bidirectional: s.chance.once(2),
      }),
    ),
  (s) => s.user.put(`/relationships/${s.pick(s.edges)}`, { context: s.word() }),
  (s) => s.user.delete(`/relationships/${s.pick(s.edges)}`),
  (s) => kept(s, s.schemas, s.user.post('/schemas', { name: s.word(), json_schema: {} })),
  (s) => s.user.put(`/schemas/${s.pick(s.schemas)}`, { description: s.word() }),
  (s) => s.user.delete(`/schemas/${s.pick(s.schemas)}`),
  (s) => kept(s, s.nodes, upload(s.user, '/nodes/upload', { content: 'x'.repeat(s.chance.below(50)) })),
  (s) => kept(s, s.nodes, upload(s.user, '/raw-files', { content: 'y'.repeat(s.chance.below(200)) })),
  imported,
  imported,
  sweep,
  (s) =>
    kept(s, s.apps, s.user.post('/apps', { name: 'app', requested_permissions: { tags: { read: true } } })),
  (s) =>
    s.user.patch(`/apps/${s.pick(s.apps)}`, { requested_permissions: { tags: { read: s.chance.once(2) } } }),
  (s) => s.user.delete(`/apps/${s.pick(s.apps)}`),
  (s) => kept(s, s.profiles, s.user.post('/exposure-profiles', { name: s.word() })),
  (s) => s.user.put(`/exposure-profiles/${s.pick(s.profiles)}`, { description: s.word() }),
  (s) => s.user.delete(`/exposure-profiles/${s.pick(s.profiles)}`),
  (s) => kept(s, s.groups, s.user.post('/groups', { name: 'group' })),
  (s) => s.user.post(`/groups/${s.pick(s.groups)}/nodes`, s.content()),
  (s) => s.user.delete(`/groups/${s.pick(s.groups)}`),
  (s) => s.friend.post('/follows', { target_user_id: s.user.id, message: 'hello' }),
  (s) => s.user.post('/sharing', { shared_with_user_id: s.friend.id, scope: 'all' }),
  proposed,
  proposed,
  (s) => s.user.post(`/proposals/${s.pick(s.proposals)}/revert`),
  (s) => s.app.delete(`/proposals/${s.pick(s.proposals)}`),
];

async function tagOf({ user, pick }: Story): Promise<string> {
  const { body } = await user.get('/tags?per_page=200');
  return pick((body.tags as { id: string }[]).map(({ id }) => id));
}

/** Imports a vault, whose attachment has other content each time. */
async function imported(story: Story): Promise<void> {
  const { world, user, chance } = story;
  const graph = await readVaultOf({
    'a.md': `# A\n\n${story.word()} ![[b.txt]] [[c]] #t${chance.below(14)}\n`,
    'c.md': '# C\n',
    'b.txt': 'z'.repeat(chance.below(60)),
  });
  const access = await world.nest.get(Accesses).ofOwner(user.id);
  const options = { collection: `v${chance.below(2)}` };
  await world.nest
    .get(Importer)
    .run(access, graph, options)
    .catch((error: { code?: string }) => {
      if (error.code !== 'QUOTA_EXCEEDED') throw error;
    });
}

/** Runs the hourly sweep of bytes without a reference, as if they were old. */
async function sweep({ world, user }: Story): Promise<void> {
  const age = sql`UPDATE blobs SET created_at = created_at - interval '1 day' WHERE owner_id = ${user.id}`;
  await world.nest.get(UnitOfWork).run(() => world.nest.get(Database).write(age));
  await world.nest.get(BlobSweep).run();
}

async function proposed(story: Story): Promise<Answer> {
  const { app, user, chance } = story;
  const made = await app.post(
    '/proposals',
    chance.once(2)
      ? { title: 'one', type: 'MERGE_NODES', canonical_data: mergeOf(story) }
      : {
          title: 'one',
          canonical_data: { title: 'proposed', node_type: 'note', value: story.word(), tags: story.tags() },
        },
  );
  if (made.status !== 201) return made;
  story.proposals.push(made.body.id);
  await app.patch(`/proposals/${made.body.id}`, { status: 'READY_FOR_APPROVAL' });
  if (chance.once(4)) return user.post(`/proposals/${made.body.id}/reject`, {});
  await user.post(`/proposals/${made.body.id}/approve`, {});
  return user.post(`/proposals/${made.body.id}/apply`);
}

const mergeOf = (story: Story): object => ({
  target_node_id: story.node(),
  source_node_ids: [story.node()],
});

/** The counters are compared with the rows themselves, which reveals any kind of write without counting. */
describe('the counters of quotas', () => {
  const seed = seedOf('quota counters');

  it.each([
    ['far from every limit', {}],
    ['at limits that many requests meet', { QUOTAS_FREE: TIGHT }],
  ])('each counter equals the count of rows after a random story, %s', async (where, environment) => {
    const world = await World.startHere(environment);
    try {
      const [user, friend] = [await world.user(), await world.user()];
      const everything = profile({
        discover: 'all',
        read: 'all',
        create: 'all',
        edit: 'all',
        delete: 'all',
        propose: 'all',
      });
      const app = await letsIn(world, user, everything);
      const story = new Story(world, new Chance(seed), user, friend, app);
      for (let step = 0; step < STEPS; step++) {
        const index = story.chance.below(STEPS_OF_ALL.length);
        await story.take(STEPS_OF_ALL[index] as Step);
        if (step % 10 === 9) expect([index, await miscounted(world)]).toEqual([index, []]);
      }
      console.log(where, Object.fromEntries(story.answers));
      for (const status of [200, 201, 'far from every limit' === where ? 404 : 403])
        expect(story.answers.get(status) ?? 0).toBeGreaterThan(0);
      await goes(story);
      expect(await miscounted(world)).toEqual([]);
    } finally {
      await world.stop();
    }
  });

  /**
   * Erases a friend whose words are in the log, and who is the last member of a group that they did not make.
   */
  async function goes({ world, user, friend, groups }: Story): Promise<void> {
    const living = (await user.get('/groups')).body.groups as { id: string }[];
    const crew = living[0]?.id ?? (await user.post('/groups', { name: 'crew' })).body.id;
    expect(groups.length).toBeGreaterThan(0);
    await joins(friend, user, crew, 'admin');
    expect((await user.delete(`/groups/${crew}/members/${user.id}`)).status).toBeLessThan(300);
    expect((await user.get('/auth/me')).body.quotas.groups.used).toBe(Math.max(living.length, 1));
    expect((await friend.delete('/auth/me', { password: 'correct horse battery' })).status).toBe(204);
    expect((await user.get('/auth/me')).body.quotas.groups.used).toBe(Math.max(living.length, 1) - 1);
    const archive = await zipped(await exported(user));
    const heir = await world.user();
    const answer = await imports(heir, archive);
    expect([201, 403]).toContain(answer.status);
    expect((await heir.get('/nodes')).body.total).toBe(
      answer.status === 201 ? (await user.get('/nodes')).body.total : 0,
    );
  }
});
