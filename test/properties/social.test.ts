import fc from 'fast-check';
import { onPostgres } from '../support/database.js';
import { type TestUser, World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';
import { type NaiveGroup, type NaiveNode } from './social-naive.js';
import { OPERATIONS, SocialWorld, type Step } from './social-worlds.js';

const SEED = Number(process.env.SEED ?? 20261121);
const RUNS = Number(process.env.RUNS ?? (onPostgres ? 12 : 5));
const STEPS = 24;

const step: fc.Arbitrary<Step> = fc.record({
  operation: fc.constantFrom(...OPERATIONS),
  a: fc.nat(63),
  b: fc.nat(63),
  c: fc.nat(63),
});

/** Every list contains, for every viewer, exactly the nodes of the plain reading of the rules (rules 10). */
describe(`random social worlds against a naive model (seed ${SEED}, ${RUNS} worlds)`, () => {
  let world: World;

  withWorld(
    (started) => (world = started),
    () => World.start(),
  );

  const idsOf = (body: { nodes: { id: string }[] }): string[] => {
    if (!Array.isArray(body.nodes)) throw new Error(JSON.stringify(body));
    return body.nodes.map(({ id }) => id).sort();
  };
  const expected = (nodes: readonly NaiveNode[], sees: (node: NaiveNode) => boolean): string[] =>
    nodes
      .filter(sees)
      .map(({ id }) => id)
      .sort();

  async function compareLists({ model }: SocialWorld, viewer: TestUser): Promise<void> {
    const sees = (node: NaiveNode) => model.sees(viewer.id, node);
    const isOwn = ({ owner }: NaiveNode) => owner === viewer.id;
    const sets = {
      all: expected(model.nodes, sees),
      owned: expected(model.nodes, (node) => isOwn(node) && sees(node)),
      shared: expected(model.nodes, (node) => !isOwn(node) && sees(node)),
    };
    for (const [access, ids] of Object.entries(sets)) {
      const { body } = await viewer.get(`/nodes?limit=100&access=${access}`);
      expect([access, idsOf(body)]).toEqual([access, ids]);
      expect(body.total).toBe(ids.length);
    }
    expect((await viewer.get('/nodes/count')).body.count).toBe(sets.all.length);
    const pages: string[] = [];
    for (let offset = 0; offset < sets.all.length; offset += 3)
      pages.push(...idsOf((await viewer.get(`/nodes?limit=3&offset=${offset}&sort=title`)).body));
    expect(pages.sort()).toEqual(sets.all);
    await compareTags(
      model.nodes.filter((node) => !isOwn(node) && sees(node)),
      viewer,
      model.deletedTags,
    );
  }

  async function compareTags(
    received: NaiveNode[],
    viewer: TestUser,
    deleted: ReadonlySet<string>,
  ): Promise<void> {
    const tags = new Set(received.flatMap((node) => [...node.tags]).filter((tag) => !deleted.has(tag)));
    const { body } = await viewer.get('/tags?access=shared&per_page=200');
    expect((body.tags as { id: string }[]).map(({ id }) => id).sort()).toEqual([...tags].sort());
    expect(body.total).toBe(tags.size);
  }

  /** Reads and writes single nodes: 404 where hidden, 403 where visible and not permitted. */
  async function compareSingle({ model }: SocialWorld, viewer: TestUser, node: NaiveNode): Promise<void> {
    const sees = model.sees(viewer.id, node);
    const mayWrite = model.may(viewer.id, node, 'canWrite');
    expect((await viewer.get(`/nodes/${node.id}`)).status).toBe(sees ? 200 : 404);
    const written = await viewer.put(`/nodes/${node.id}`, {});
    expect(written.status).toBe(mayWrite ? 200 : sees ? 403 : 404);
  }

  async function compareGroup({ model }: SocialWorld, viewer: TestUser, group: NaiveGroup): Promise<void> {
    const { status, body } = await viewer.get(`/groups/${group.id}/nodes?limit=100`);
    expect(status).toBe(group.members.has(viewer.id) ? 200 : 403);
    if (status !== 200) return;
    const ids = expected(model.nodes, (node) => model.seesInGroup(viewer.id, group, node));
    expect(idsOf(body)).toEqual(ids);
    expect(body.total).toBe(ids.length);
    const single = model.nodes[ids.length % model.nodes.length] as NaiveNode;
    const read = await viewer.get(`/groups/${group.id}/nodes/${single.id}`);
    expect(read.status).toBe(ids.includes(single.id) ? 200 : 404);
  }

  async function compare(social: SocialWorld, turn: number): Promise<void> {
    for (const viewer of social.users) {
      await compareLists(social, viewer);
      await compareSingle(social, viewer, social.model.nodes[turn % social.model.nodes.length] as NaiveNode);
      for (const group of social.model.groups) await compareGroup(social, viewer, group);
    }
  }

  it('the service and the model agree on every list, count and single node, for every viewer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: STEPS / 2, maxLength: STEPS }), async (steps) => {
        const social = await SocialWorld.make(world);
        for (const [turn, one] of steps.entries()) {
          await social.take(one);
          if (turn % 8 === 7) await compare(social, turn);
        }
        await compare(social, steps.length);
      }),
      {
        seed: SEED,
        numRuns: RUNS,
        endOnFailure: Boolean(process.env.NO_SHRINK),
        ...(process.env.FC_PATH ? { path: process.env.FC_PATH } : {}),
      },
    );
  }, 600_000);
});
