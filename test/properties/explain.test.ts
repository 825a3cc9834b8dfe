import fc from 'fast-check';
import { Config } from '../../src/config/config.js';
import { type RequestedPermissions } from '../../src/identity/index.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { explainedAppAccess } from '../../src/privacy/domain/access-of.js';
import { ceilingOf } from '../../src/privacy/domain/ceiling.js';
import { newProfile, withFields } from '../../src/privacy/domain/exposure-profile.js';
import { NODE_VERBS, type NodeVerb } from '../../src/privacy/domain/profile-visibility.js';
import { decidingRule, rule, type Rule, verdictsOf } from '../../src/privacy/domain/rule.js';
import { TagVocabulary } from '../../src/privacy/domain/tags/tag-vocabulary.js';
import { sees } from '../../src/privacy/domain/visibility.js';
import { compileVisibility } from '../../src/privacy/infrastructure/visibility.sql.js';
import { freshDatabase } from '../support/database.js';
import { Chance, seedOf } from './random.js';
import { type NaiveNode } from './visibility-naive.js';
import { randomNode, randomProfile, randomRequest, randomTags } from './visibility-worlds.js';

/** Worlds of 50 nodes and 4 verbs; set higher for a long run. */
const WORLDS = Number(process.env.EXPLAIN_WORLDS ?? 150);
const NODES = 50;
const COLUMNS = {
  id: sql.raw('n.id'),
  tagIds: sql.raw('n.tag_ids'),
  schemaId: sql.raw('n.schema_id'),
  nodeType: sql.raw('n.node_type'),
  createdAt: sql.raw('n.created_at'),
};

let database: Database;
let drop: () => Promise<void>;

beforeAll(async () => {
  const fresh = await freshDatabase();
  drop = fresh.drop;
  database = await Database.open(new Config({ DATABASE_URL: fresh.url }), []);
});

afterAll(async () => {
  await database.close();
  await drop();
});

/** An app's access through a random profile, as the guard makes it, and nodes to explain. */
function worldOf(seed: number) {
  const chance = new Chance(seed);
  const tags = randomTags(chance);
  const vocabulary = new TagVocabulary(tags);
  const written = randomProfile(chance, tags);
  const none = { tag_ids: [], allow_all: false };
  const tag_permissions = { discover: none, create: none, ...written.tag_permissions };
  const blank = newProfile({ ownerId: 'owner', id: 'profile', name: 'profile', at: new Date(0) });
  const profile = withFields(blank, { rules: { ...written, tag_permissions } }, vocabulary);
  const nodes = Array.from({ length: NODES }, () =>
    randomNode(
      chance,
      tags.map(({ id }) => id),
    ),
  );
  const { access, rules } = explainedAppAccess(
    { ownerId: 'owner', vocabulary, key: '', changes: 0, policy: 0 },
    {
      appId: 'app',
      profile,
      ceiling: ceilingOf(randomRequest(chance) as unknown as RequestedPermissions),
      pseudonymKey: 'key',
    },
  );
  return { nodes, access, rules };
}

type World = ReturnType<typeof worldOf>;

/** The nodes that a list would contain, for each verb: one statement. */
async function listed({ nodes, access }: World): Promise<Record<NodeVerb, boolean>[]> {
  const facts = nodes.map(({ id, tagIds, schemaId, nodeType, createdAt }, position) => ({
    position,
    id,
    tag_ids: tagIds,
    schema_id: schemaId,
    node_type: nodeType,
    created_at: createdAt,
  }));
  const conditions = NODE_VERBS.map(
    (verb) => sql`${compileVisibility(access.nodes[verb], COLUMNS)} AS ${sql.raw(`"${verb}"`)}`,
  );
  return database.read(
    sql`SELECT ${sql.join(conditions)} FROM jsonb_to_recordset(${JSON.stringify(facts)}::jsonb) AS n (position int,
      id uuid, tag_ids uuid[], schema_id uuid, node_type text, created_at timestamptz) ORDER BY n.position`,
  );
}

const refusing = (one: Rule, node: NaiveNode): string[] =>
  verdictsOf(one, node).flatMap(({ rule: name, verdict }) => (verdict === 'refuses' ? [name] : []));

/** Compares explanation, decision and list of every node and verb of a world. */
async function differences(seed: number, spoil = (one: Rule): Rule => one): Promise<object[]> {
  const world = worldOf(seed);
  const lists = await listed(world);
  return world.nodes.flatMap((node, index) =>
    NODE_VERBS.flatMap((verb) => {
      const one = spoil(world.rules[verb]);
      const refused = refusing(one, node);
      const decided = decidingRule(one, verdictsOf(one, node));
      const answers = {
        explained: refused.length === 0,
        decided: sees(world.access.nodes[verb], node),
        listed: lists[index]?.[verb],
        named: refused.length === 0 ? decided !== one.name : decided === refused[0],
      };
      const { explained } = answers;
      if (answers.decided === explained && answers.listed === explained && answers.named) return [];
      return [{ seed, verb, node, refused, by: decided, ...answers }];
    }),
  );
}

describe('an explanation', () => {
  it('agrees with the decision and with the list, and names the rule', async () => {
    const seed = seedOf('explanations');
    let allowed = 0;
    const property = fc.asyncProperty(fc.noShrink(fc.integer()), async (world) => {
      expect(await differences(world)).toEqual([]);
      const { nodes, access } = worldOf(world);
      for (const verb of NODE_VERBS) allowed += nodes.filter((node) => sees(access.nodes[verb], node)).length;
    });
    await fc.assert(property, { seed, numRuns: WORLDS, endOnFailure: true });
    const decisions = WORLDS * NODES * NODE_VERBS.length;
    console.log(`${decisions} explanations, ${allowed} of them allowed`);
    // A rig that admits nothing, or everything, proves nothing.
    expect(allowed).toBeGreaterThan(decisions / 40);
    expect(allowed).toBeLessThan((decisions * 39) / 40);
  }, 300_000);

  const planted: [string, (one: Rule) => Rule][] = [
    ['exclusions are not told', (one) => without(one, 'exclusions')],
    ['schemas are not told', (one) => without(without(one, 'read'), 'write')],
    ['the tags of the verb are not told', (one) => without(one, 'reached')],
  ];

  it.each(planted)('a wrong explanation is detected: %s', async (_, spoil) => {
    const found: object[] = [];
    for (let seed = 1; seed < 200 && found.length === 0; seed++)
      found.push(...(await differences(seed, spoil)));
    expect(found.length).toBeGreaterThan(0);
  });
});

const without = (one: Rule, name: string): Rule => ({
  ...one,
  parts: one.parts.filter((part) => part.name !== name),
});

describe('rules of an explanation', () => {
  const node = { id: 'a', tagIds: [], schemaId: null, nodeType: 'note', createdAt: new Date(0) };
  const everything = rule.one('everything', { kind: 'all' }, { isGrant: true });
  const nothing = rule.one('nothing', { kind: 'none' });

  it('rules distinguish a way that was not needed from one that did not apply', () => {
    const verdicts = (parts: Rule[]) =>
      verdictsOf(rule.any('ways', parts), node).map(({ verdict }) => verdict);
    expect(verdicts([everything, nothing])).toEqual(['passes', 'bypassed']);
    expect(verdicts([nothing, everything])).toEqual(['does_not_apply', 'passes']);
    expect(verdicts([nothing, nothing])).toEqual(['does_not_apply', 'refuses']);
  });
});
