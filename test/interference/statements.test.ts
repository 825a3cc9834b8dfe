import { randomUUID } from 'node:crypto';
import { type Client } from '../support/client.js';
import { allSchemas, type ProfileBody, someTags } from '../support/defaults.js';
import { AssistantClient, mcpOperationsOnOne } from '../support/mcp-operations.js';
import { type Operation, operationsOf } from '../support/operations.js';
import { bodyOf, idOf, pathOf, type Things } from '../support/plausible.js';
import { type TestUser, World } from '../support/world.js';
import { kindIn } from './pool.js';
import { askable } from './random-requests.js';
import { StatementLog } from './statement-log.js';
import { upload } from './uploads.js';

interface Caller {
  who: string;
  client: Client;
  /** The ids of hidden things, by kind. */
  hidden: Record<string, string[]>;
  group?: string;
}

/**
 * A request for a hidden thing waits for the same statements as one for an absent thing (rule 3.18): one more would
 * reveal it by the time of the answer.
 */
describe('a hidden thing (rule 3.18)', () => {
  let world: World;
  let log: StatementLog;
  let operations: Operation[];
  let alice: TestUser;
  let hidden: Record<string, string[]>;
  let received: Record<string, string[]>;
  let all: Caller[];
  const profile: { narrow: ProfileBody; broad: ProfileBody } = { narrow: {}, broad: {} };

  beforeAll(async () => {
    world = await World.startHere();
    log = new StatementLog(world);
    operations = askable(operationsOf(world.nest)).filter(({ path }) => !path.endsWith('/content'));
    alice = await world.user();
    await furnish();
    all = await callers();
  }, 120_000);
  afterAll(() => world.stop());

  async function furnish(): Promise<void> {
    const tag = (name: string): Promise<string> => idOf(alice, '/tags', { name });
    const [shown, banned, kept] = [await tag('shown'), await tag('banned'), await tag('kept')];
    const node = (node_type: string, ...tags: string[]): Promise<string> =>
      idOf(alice, '/nodes', { title: 'one', node_type, tags });
    const open = await node('note', 'shown');
    const secret = [await node('diary', 'shown'), await node('note', 'shown', 'banned')];
    const untagged = [await node('note', 'kept'), await node('note')];
    const edge = (to_node_id: string): Promise<string> =>
      idOf(alice, '/relationships', { from_node_id: open, to_node_id, relationship_type: 'near' });
    const edges = [await edge(secret[0] as string), await edge(untagged[0] as string)];
    const { path, body, headers } = upload('/raw-files', 'secret', [banned, kept]);
    const file = (await alice.post(path, body, { headers: headers ?? {} })).body.id as string;
    const grant = someTags(shown);
    const all = { allow_all: true };
    const excluded = {
      schema_permissions: allSchemas,
      excluded_tag_ids: [banned],
      excluded_node_types: ['diary'],
    };
    const verbs = (to: object): object =>
      Object.fromEntries(
        ['discover', 'read', 'propose', 'create', 'edit', 'delete'].map((verb) => [verb, to]),
      );
    profile.narrow = { tag_permissions: verbs(grant), ...excluded };
    profile.broad = { tag_permissions: verbs(all), ...excluded };
    const others = {
      session: [await idOf(alice, '/sessions', { external_id: 'one' })],
      profile: [await idOf(alice, '/exposure-profiles', { name: 'one' })],
      proposal: [await aProposal()],
    };
    hidden = { node: secret, tag: [banned], relationship: [edges[0] as string], file: [file], ...others };
    received = { node: untagged, tag: [kept], relationship: [edges[1] as string], file: [file], ...others };
    // Alice has received a share as well.
    const giver = await world.user();
    await idOf(giver, '/nodes', { title: 'given', node_type: 'note' });
    await idOf(giver, '/sharing', { shared_with_user_id: alice.id, scope: 'all', can_write: true });
    const carol = await world.user('carol');
    const share = { scope: 'specific_tags', tag_ids: [shown], can_write: true, can_share: true };
    await idOf(alice, '/sharing', { shared_with_user_id: carol.id, ...share });
    people.carol = carol;
  }

  const people: { carol?: TestUser } = {};

  async function aProposal(): Promise<string> {
    const by = await alice.lets(await world.app());
    return idOf(by, '/proposals', { title: 'one', canonical_data: { title: 'one', node_type: 'note' } });
  }

  /**
   * A group with a node that this member does not see, and one that another member shares and that they do not see
   * either.
   */
  async function aMember(): Promise<Caller> {
    const dave = await world.user();
    const group = await idOf(alice, '/groups', { name: 'crew' });
    const below = `/groups/${group}`;
    const invitation = await idOf(alice, `${below}/invitations`, { user_id: dave.id });
    await dave.put(`/groups/invitations/${invitation}`, { action: 'accept' });
    const tag = await idOf(alice, `${below}/tags`, { name: 'shown' });
    const node = await idOf(alice, `${below}/nodes`, { title: 'one', node_type: 'diary', tags: ['shown'] });
    const rules = { name: 'narrow', tag_permissions: { discover: someTags(tag), read: { allow_all: true } } };
    const exposure_profile_id = await idOf(alice, `${below}/exposure-profiles`, {
      ...rules,
      excluded_node_types: ['diary'],
    });
    await alice.put(`${below}/members/${dave.id}`, { exposure_profile_id });
    const given = await idOf(alice, '/exposure-profiles/from-template', {
      template: 'transparent',
      name: 'in',
    });
    await alice.post(`${below}/share`, { exposure_profile_id: given });
    const diary = hidden['node']?.[0] as string;
    return { who: 'a member', client: dave, hidden: { node: [node, diary] }, group };
  }

  async function callers(): Promise<Caller[]> {
    const carol = people.carol as TestUser;
    const stranger = await world.user();
    // Apps of a person are shown what acquaintances share.
    await carol.post('/follows', { target_user_id: alice.id });
    return [
      {
        who: 'an app that reads some tags',
        client: await alice.lets(await world.app(), profile.narrow),
        hidden,
      },
      {
        who: 'an app that reads all tags but one',
        client: await alice.lets(await world.app(), profile.broad),
        // A reader of all tags knows them all.
        hidden: { ...hidden, tag: [] },
      },
      { who: 'a receiver', client: carol, hidden: received },
      { who: "a receiver's app", client: await carol.lets(await world.app()), hidden: received },
      {
        who: 'a stranger',
        client: stranger,
        hidden: { ...received, node: [...received['node']!, ...hidden['node']!] },
      },
      await aMember(),
    ];
  }

  it('costs the same statements as an absent one, if a body names it', async () => {
    const told: string[] = [];
    let compared = 0;
    for (const caller of all.filter(({ group }) => group === undefined)) {
      const seen = {
        tag: await idOf(alice, '/tags', { name: `of ${caller.who}` }),
        node: await idOf(alice, '/nodes', { title: 'seen', node_type: 'note', tags: ['shown'] }),
      };
      for (const id of [...(caller.hidden['node'] ?? []), ...(caller.hidden['tag'] ?? [])])
        for (const [method, path, bodyWith] of NAMED_IN_BODIES) {
          const asked = (one: string) =>
            log.of(caller.client, {
              method,
              path: `//api/v1${path.replace('{node}', seen.node).replace('{tag}', seen.tag)}`,
              body: bodyWith(one, seen),
            });
          for (const one of [id, randomUUID()]) await asked(one);
          const [present, absent] = [await asked(id), await asked(randomUUID())];
          compared++;
          if (present !== absent) told.push(`${caller.who}, ${method} ${path}: ${present} | ${absent}`);
        }
    }
    expect(compared).toBeGreaterThan(50);
    expect(told).toEqual([]);
  }, 180_000);

  it('costs the same statements as an absent one, if a name of it is assigned (rule 3.7e)', async () => {
    const { client } = all[0] as Caller;
    const seen = await idOf(alice, '/nodes', { title: 'seen', node_type: 'note', tags: ['shown'] });
    const node = { title: 'one', node_type: 'note' };
    const naming: [method: string, path: string, bodyWith: (name: string) => object][] = [
      ['POST', '/nodes', (name) => ({ ...node, tags: ['shown', name] })],
      ['PUT', `/nodes/${seen}`, (name) => ({ tags: ['shown', name] })],
      ['POST', '/proposals', (name) => ({ title: 'one', canonical_data: { ...node, tags: [name] } })],
      ['POST', '/tags', (name) => ({ name })],
    ];
    for (const [method, path, bodyWith] of naming) {
      const asked = (name: string) => log.of(client, { method, path, body: bodyWith(name) });
      for (const name of ['kept', 'unheard of']) await asked(name);
      expect(await asked('kept')).toBe(await asked('unheard of'));
      expect(await asked('kept')).toMatch(/^403 /);
    }
  });

  it('costs the same statements as an absent one, and its time, if a message of MCP names it (rule 15.3b)', async () => {
    const told: string[] = [];
    let compared = 0;
    for (const caller of all.filter(({ who }) => who.includes('app')))
      for (const operation of mcpOperationsOnOne())
        for (const [parameter, id] of idsFor(operation, caller.hidden)) {
          const client = AssistantClient.of(caller.client);
          const asked = (one: string) => log.of(client, requestOf(operation, caller, { parameter, id: one }));
          for (const one of [id, randomUUID()]) await asked(one);
          const [present, absent] = [await asked(id), await asked(randomUUID())];
          compared++;
          if (present !== absent) told.push(`${caller.who}, ${operation.name}: ${present} | ${absent}`);
        }
    expect(compared).toBeGreaterThan(30);
    expect(told).toEqual([]);
  }, 180_000);

  it('costs the same statements as an absent one, if a path names it', async () => {
    const told: string[] = [];
    let compared = 0;
    for (const caller of all)
      for (const operation of operations) {
        if (/groups/.test(operation.path) !== (caller.group !== undefined)) continue;
        for (const [parameter, id] of idsFor(operation, caller.hidden)) {
          const asked = (one: string) =>
            log.of(caller.client, requestOf(operation, caller, { parameter, id: one }));
          // The second request of each finds the caches filled.
          for (const one of [id, randomUUID()]) await asked(one);
          const [present, absent] = [await asked(id), await asked(randomUUID())];
          compared++;
          if (present !== absent) told.push(`${caller.who}, ${operation.name}: ${present} | ${absent}`);
        }
      }
    expect(compared).toBeGreaterThan(150);
    expect(told).toEqual([]);
  }, 180_000);
});

interface Seen {
  node: string;
  tag: string;
}

const near = { relationship_type: 'near' };

/** Requests that name a node or a tag in their body. */
const NAMED_IN_BODIES: [method: string, path: string, bodyWith: (id: string, seen: Seen) => object][] = [
  ['POST', '/nodes/bulk-delete', (id) => ({ node_ids: [id] })],
  ['POST', '/nodes/lookup', (id) => ({ ids: [id] })],
  ['PUT', '/nodes/batch/embeddings', (id) => ({ embeddings: [{ id, embedding: [1, 0] }] })],
  ['POST', '/relationships', (id, { node }) => ({ ...near, from_node_id: id, to_node_id: node })],
  ['POST', '/relationships', (id, { node }) => ({ ...near, from_node_id: node, to_node_id: id })],
  ['POST', '/nodes/{node}/tags', (tag_id) => ({ tag_id })],
  ['POST', '/tags/bulk-delete', (id) => ({ tag_ids: [id] })],
  ['PUT', '/tags/{tag}', (parent_tag_id) => ({ parent_tag_id })],
];

/** The last parameter that names a thing of a hidden kind, with each of these. */
function idsFor({ path }: Operation, hidden: Record<string, string[]>): [string, string][] {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const parameter = parameters.find((name) => hidden[kindIn(name) ?? ''] !== undefined);
  if (parameter === undefined) return [];
  return (hidden[kindIn(parameter) as string] as string[]).map((id) => [parameter, id]);
}

function requestOf(
  operation: Operation,
  { group }: Caller,
  { parameter, id }: { parameter: string; id: string },
): { method: string; path: string; body: unknown } {
  const things = { version: '1', timestamp: '2999-01-01T00:00:00Z', group } as unknown as Things;
  const named = { ...operation, path: operation.path.replace(`{${parameter}}`, id) };
  return { method: operation.method, path: pathOf(named, things), body: bodyOf(operation, things, 1) };
}
