import { Config } from '../../src/config/config.js';
import { type RequestedPermissions } from '../../src/identity/index.js';
import { Database } from '../../src/kernel/database/database.js';
import { type Sql, sql } from '../../src/kernel/database/sql.js';
import { ceilingOf, lowerCeiling } from '../../src/privacy/domain/ceiling.js';
import { newProfile, withFields } from '../../src/privacy/domain/exposure-profile.js';
import { grantedBy } from '../../src/privacy/domain/profile-grants.js';
import { type ProfileRules } from '../../src/privacy/domain/profile-rules.js';
import { profileVisibilities } from '../../src/privacy/domain/profile-visibility.js';
import { keepExcluding } from '../../src/privacy/domain/tags/tag-references.js';
import { TagVocabulary } from '../../src/privacy/domain/tags/tag-vocabulary.js';
import { sees, type Visibility, visibility } from '../../src/privacy/domain/visibility.js';
import { compileVisibility } from '../../src/privacy/infrastructure/visibility.sql.js';
import { freshDatabase } from '../support/database.js';
import { Chance, seedOf } from './random.js';
import {
  NaiveMeaning,
  naivelyAllows,
  type NaiveEvent,
  type NaiveNode,
  type NaiveProfile,
  type NaiveRequest,
  type NaiveTag,
  type NaiveVerb,
} from './visibility-naive.js';
import {
  naivelyHolds,
  randomEvents,
  randomNode,
  randomProfile,
  randomRequest,
  randomTags,
  randomTold,
  type Told,
} from './visibility-worlds.js';

/** The number of decisions; set higher for a long run (rule 13.4: 1,000,000). */
const DECISIONS = Number(process.env.VISIBILITY_DECISIONS ?? 100_000);
const NODES = 125;
const VERBS: NaiveVerb[] = ['read', 'propose', 'edit', 'delete'];
const TOLD_TAGS = Array.from(
  { length: 8 },
  (_, i) => `00000002-0000-7000-8000-${String(i).padStart(12, '0')}`,
);
const COLUMNS = {
  id: sql.raw('n.id'),
  tagIds: sql.raw('n.tag_ids'),
  schemaId: sql.raw('n.schema_id'),
  nodeType: sql.raw('n.node_type'),
  createdAt: sql.raw('n.created_at'),
};

let database: Database;
/** The number of queries: every other one uses the long form of a verb's lists. */
let asked = 0;
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

/** The database's result for each node (rows) and expression (columns): one statement. */
async function byDatabase(expressions: Visibility[], nodes: NaiveNode[]): Promise<unknown[][]> {
  const facts = JSON.stringify(
    nodes.map(({ id, tagIds, schemaId, nodeType, createdAt }, position) => ({
      position,
      id,
      tag_ids: tagIds,
      schema_id: schemaId,
      node_type: nodeType,
      created_at: createdAt,
    })),
  );
  asked += 1;
  const conditions = expressions.map(
    (expression, i) =>
      sql`${compileVisibility((i + asked) % 2 === 0 ? expression : lengthened(expression), COLUMNS)} AS ${name(i)}`,
  );
  const rows = await database.read<Record<string, unknown>>(
    sql`SELECT ${sql.join(conditions)} FROM jsonb_to_recordset(${facts}::jsonb) AS n (position int, id uuid, tag_ids uuid[],
      schema_id uuid, node_type text, created_at timestamptz) ORDER BY n.position`,
  );
  return rows.map((row) => expressions.map((_, i) => row[`c${i}`]));
}

/** The same expression with every list long enough to be hashed, by entries that no node has. */
function lengthened(expression: Visibility): Visibility {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return { ...expression, parts: expression.parts.map(lengthened) };
    case 'not':
      return { ...expression, part: lengthened(expression.part) };
    case 'tagged-any':
      return { ...expression, tagIds: [...NOBODYS, ...expression.tagIds] };
    case 'type-in':
      return { ...expression, types: [...NOBODYS, ...expression.types] };
    case 'schema-in':
      return { ...expression, schemaIds: [...NOBODYS, ...expression.schemaIds] };
    case 'id-in':
      return { ...expression, ids: [...NOBODYS, ...expression.ids] };
    default:
      return expression;
  }
}

const NOBODYS = Array.from(
  { length: 50 },
  (_, i) => `0000000f-0000-7000-8000-${String(i).padStart(12, '0')}`,
);

const name = (i: number): Sql => sql.raw(`c${i}`);

/**
 * The service's expressions for a profile that was saved with the first tags and evaluated after all events.
 */
function byService(
  profile: NaiveProfile,
  requests: NaiveRequest[],
  { tags, events }: { tags: NaiveTag[]; events: NaiveEvent[] },
): Record<NaiveVerb, Visibility> {
  const birth = { ownerId: 'owner', id: 'profile', name: 'profile', at: new Date(0) };
  const none = { tag_ids: [], allow_all: false };
  const tag_permissions = { discover: none, create: none, ...profile.tag_permissions };
  const written = { ...profile, tag_permissions };
  let { rules } = withFields(newProfile(birth), { rules: written }, new TagVocabulary(tags));
  const state = new Map(tags.map((tag) => [tag.id, tag]));
  for (const event of events) {
    if (event.kind === 'renamed')
      rules = keepExcluding(rules, event.id, new TagVocabulary(state.values())) ?? rules;
    const before = state.get(event.id);
    if (event.kind === 'deleted') state.set(event.id, { ...(before as NaiveTag), deleted: true });
    else state.set(event.id, { id: event.id, name: event.name, deleted: false });
  }
  const [approved, asked] = requests.map((request) => ceilingOf(request as unknown as RequestedPermissions));
  const ceiling = lowerCeiling(approved!, asked!);
  const vocabulary = new TagVocabulary(state.values());
  const stored = JSON.parse(JSON.stringify(rules)) as ProfileRules;
  const granted = grantedBy({ rules: stored, isActive: true }, vocabulary);
  return profileVisibilities({ rules: stored, vocabulary, ceiling, granted });
}

function constructed(told: Told): Visibility {
  switch (told.is) {
    case 'all':
    case 'none':
    case 'untagged':
      return visibility[told.is];
    case 'and':
    case 'or':
      return visibility[told.is](...told.parts.map(constructed));
    case 'not':
      return visibility.not(constructed(told.part));
    case 'tagged-any':
      return visibility.taggedAny(told.list);
    case 'tagged-all':
      return visibility.taggedAll(told.list);
    case 'type-in':
      return visibility.typeIn(told.list);
    case 'schema-in':
      return visibility.schemaIn(told.list);
    case 'id-in':
      return visibility.idIn(told.list);
    case 'created-between':
      return visibility.createdBetween(told.from, told.to);
  }
}

const simplified = (expression: Visibility): boolean =>
  expression.kind === 'and' || expression.kind === 'or'
    ? expression.parts.length > 1 &&
      expression.parts.every(
        (part) => !['all', 'none', expression.kind].includes(part.kind) && simplified(part),
      )
    : expression.kind !== 'not' ||
      (!['not', 'all', 'none'].includes(expression.part.kind) && simplified(expression.part));

interface Tally {
  decisions: number;
  allowed: number;
  differences: object[];
}

type Spoil = (expression: Visibility) => Visibility;
const asIs: Spoil = (expression) => expression;

/** One random world: each verb on each node, decided three times. */
async function decideProfile(chance: Chance, tally: Tally, spoil = asIs): Promise<void> {
  const tags = randomTags(chance);
  const events = randomEvents(chance, tags);
  const profile = randomProfile(chance, tags);
  const requests = [randomRequest(chance), randomRequest(chance)];
  const meaning = new NaiveMeaning(profile, tags);
  for (const event of events) meaning.happened(event);
  const ids = [...new Set([...tags.map((tag) => tag.id), ...events.map((event) => event.id)])];
  const nodes = Array.from({ length: NODES }, () => randomNode(chance, ids));
  const decided = byService(profile, requests, { tags, events });
  const expressions = VERBS.map((verb) => spoil(decided[verb]));
  const answers = await byDatabase(expressions, nodes);
  for (const [row, node] of nodes.entries()) {
    for (const [column, verb] of VERBS.entries()) {
      const naive = naivelyAllows(verb, node, { profile, meaning, requests });
      const pure = sees(expressions[column]!, node);
      const database = answers[row]![column];
      tally.decisions++;
      if (naive) tally.allowed++;
      if (naive === pure && naive === database) continue;
      tally.differences.push({ verb, naive, pure, database, node, profile, requests, tags, events });
    }
  }
}

/** Random expressions on random nodes: the plain data, compared with the constructors' result. */
async function decideExpressions(chance: Chance, tally: Tally): Promise<void> {
  const told = Array.from({ length: 8 }, () => randomTold(chance, 4));
  const expressions = told.map(constructed);
  const nodes = Array.from({ length: NODES }, () => randomNode(chance, TOLD_TAGS));
  const answers = await byDatabase(expressions, nodes);
  expect(expressions.every(simplified)).toBe(true);
  for (const [row, node] of nodes.entries()) {
    for (const [column, expression] of expressions.entries()) {
      const naive = naivelyHolds(told[column]!, node);
      const pure = sees(expression, node);
      const database = answers[row]![column];
      tally.decisions++;
      if (naive) tally.allowed++;
      if (naive === pure && naive === database) continue;
      tally.differences.push({ told: told[column], naive, pure, database, node });
    }
  }
}

describe('two faces', () => {
  const kinds = [
    ['random profiles, requests, histories of tags, nodes and verbs', decideProfile],
    ['random expressions and nodes, however they were simplified', decideExpressions],
  ] as const;

  it.each(kinds)(
    'the function and the SQL of a visibility agree with each other and with a naive model for %s',
    async (what, decide) => {
      const chance = new Chance(seedOf(what));
      const tally: Tally = { decisions: 0, allowed: 0, differences: [] };
      while (tally.decisions < DECISIONS / 2 && tally.differences.length === 0) await decide(chance, tally);
      console.log(`${what}: ${tally.decisions} decisions, ${tally.allowed} allowed`);
      expect(tally.differences.slice(0, 3)).toEqual([]);
      // A rig that admits nothing, or everything, proves nothing.
      expect(tally.allowed).toBeGreaterThan(tally.decisions / 40);
      expect(tally.allowed).toBeLessThan((tally.decisions * 39) / 40);
    },
    DECISIONS * 3 + 60_000,
  );

  const planted: [string, Spoil][] = [
    ['exclusions are forgotten', withoutParts((part) => part.kind === 'not')],
    ['schemas are forgotten', withoutParts((part) => part.kind === 'schema-in')],
    [
      'tags and filters are forgotten',
      withoutParts((part) => part.kind === 'or' || part.kind === 'tagged-any'),
    ],
    [
      'an empty rule means everything',
      (expression) => (expression.kind === 'none' ? visibility.all : expression),
    ],
  ];

  it.each(planted)(
    'the function and the SQL of a visibility are found to differ after a planted fault: %s',
    async (_, spoil) => {
      const chance = new Chance(1);
      const tally: Tally = { decisions: 0, allowed: 0, differences: [] };
      while (tally.decisions < 50_000 && tally.differences.length === 0)
        await decideProfile(chance, tally, spoil);
      expect(tally.differences.length).toBeGreaterThan(0);
    },
  );
});

function withoutParts(isPart: (part: Visibility) => boolean): Spoil {
  return (expression) =>
    expression.kind === 'and'
      ? visibility.and(...expression.parts.filter((part) => !isPart(part)))
      : expression;
}

describe('indexes', () => {
  const text = (expression: Visibility): string => compileVisibility(expression, COLUMNS).text;
  const ids = (count: number): string[] =>
    Array.from({ length: count }, (_, i) => `00000002-0000-7000-8000-${String(i).padStart(12, '0')}`);

  it('the SQL of a visibility has one text for policies of one shape', () => {
    const policy = (count: number): Visibility =>
      visibility.and(
        visibility.not(visibility.taggedAny(ids(count))),
        visibility.or(visibility.idIn(ids(count)), visibility.typeIn(ids(count))),
        visibility.schemaIn(['__freeform__', ...ids(count)]),
      );
    expect(text(policy(7))).toBe(text(policy(1)));
  });

  it('the SQL of a visibility has no value in its text', async () => {
    const hostile = visibility.typeIn([`'); DROP TABLE x; --`]);
    expect(text(hostile)).not.toContain('DROP');
    const node = {
      id: ids(1)[0]!,
      tagIds: [],
      schemaId: null,
      nodeType: `'); DROP TABLE x; --`,
      createdAt: new Date(0),
    };
    expect(await byDatabase([hostile], [node])).toEqual([[true]]);
  });

  it('the SQL of a visibility is never NULL, and matches no node for malformed ids', async () => {
    const schema = visibility.schemaIn(ids(1));
    const node = { id: ids(1)[0]!, tagIds: [], schemaId: null, nodeType: 'GOAL', createdAt: new Date(0) };
    const nothing = [visibility.taggedAny(['x']), visibility.idIn(['']), visibility.taggedAll(['x'])];
    expect(await byDatabase([schema, visibility.not(schema), ...nothing], [node])).toEqual([
      [false, true, false, false, false],
    ]);
  });
});
