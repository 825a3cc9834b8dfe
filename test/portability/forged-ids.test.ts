import { codeOf, node, tagId, titlesOf } from '../support/worlds/nodes.js';
import { ABSENT, APP_ONLY, PRIVATE, schema } from '../support/worlds/schemas.js';
import { importedId } from '../../src/portability/domain/archived-ids.js';
import { type TestUser, World } from '../support/world.js';
import { type Entries, exported, imports, rowsOf, zipped } from './archives.js';

type Spelling = (id: string) => string;
const SPELLINGS: [name: string, spell: Spelling][] = [
  ['as it is', (id) => id],
  ['in capitals', (id) => id.toUpperCase()],
  ['in escapes', (id) => [...id].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')],
];

describe('an archive forged with ids of other people (rule 12.3a)', () => {
  let world: World;
  /** The node that Alice shares. */
  let alice: TestUser;
  let bob: TestUser;

  beforeAll(async () => {
    world = await World.start();
    alice = await world.user();
    bob = await world.user();
  });
  afterAll(() => world.stop());

  const share = async (from: TestUser, to: TestUser, body: object) => {
    const made = await from.post('/sharing', { shared_with_user_id: to.id, ...body });
    expect(codeOf(made)).toEqual([201, undefined]);
  };
  /** An archive of one node with one tag, in which some ids are others. */
  const forged = async (title: string, names: (row: { node: string; tag: string }) => [string, string][]) => {
    const forger = await world.user();
    const made = await node(forger, { title, tags: ['forged'] });
    const others = names({ node: made.id, tag: await tagId(forger, 'forged') });
    const entries = [...(await exported(forger))].map(([name, bytes]): [string, string] => {
      const text = others.reduce((all, [id, other]) => all.replaceAll(id, other), bytes.toString());
      return [name, text];
    });
    return zipped(entries);
  };
  /** An account with a smaller id than another one: of several owners the database gives its rows first. */
  const userBefore = async (other: TestUser): Promise<TestUser> => {
    for (;;) {
      const user = await world.user();
      if (user.id < other.id) return user;
    }
  };
  const importer = async (archive: Promise<Buffer>, account = world.user()) => {
    const user = await account;
    expect(codeOf(await imports(user, await archive))).toEqual([201, undefined]);
    return user;
  };

  it.each(SPELLINGS)(
    'puts no node in the place of a shared one when it spells their id %s',
    async (_, spell) => {
      const real = await node(alice, { title: 'real' });
      await share(alice, bob, { scope: 'specific_nodes', node_ids: [real.id], can_write: true });
      const archive = forged('fake', (own) => [[own.node, spell(real.id)]]);
      const mallory = await importer(archive, userBefore(alice));
      await share(mallory, bob, { scope: 'all', can_write: true });
      expect((await bob.get(`/nodes/${real.id}`)).body.title).toBe('real');
      expect((await bob.put(`/nodes/${real.id}`, { value: 'to Alice' })).status).toBe(200);
      expect((await alice.get(`/nodes/${real.id}`)).body.value).toBe('to Alice');
      const { nodes } = (await bob.get('/nodes?access=all&limit=100')).body;
      const ids = nodes.map(({ id }: { id: string }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(codeOf(await mallory.get(`/nodes/${real.id}`))).toEqual([404, 'NODE_NOT_FOUND']);
      const [fake] = (await mallory.get('/nodes')).body.nodes;
      await share(mallory, alice, { scope: 'specific_nodes', node_ids: [fake.id] });
    },
  );

  it('makes readable neither a hidden node nor a hidden tag of their owner', async () => {
    const [owner, mallory] = [await world.user(), await world.user()];
    const shown = await node(owner, { title: 'shown', tags: ['shown'] });
    const hidden = await node(owner, { title: 'hidden', tags: ['diary'] });
    const [diary, open] = [await tagId(owner, 'diary'), await tagId(owner, 'shown')];
    await share(owner, mallory, { scope: 'specific_nodes', node_ids: [shown.id] });
    await share(owner, mallory, { scope: 'specific_tags', tag_ids: [open] });
    const second = await importer(
      forged('bait', (own) => [
        [own.node, hidden.id],
        [own.tag, diary],
      ]),
    );
    const { nodes } = (await second.get('/nodes')).body;
    await share(second, mallory, { scope: 'specific_nodes', node_ids: [nodes[0].id] });
    await share(second, mallory, { scope: 'specific_tags', tag_ids: [await tagId(second, 'forged')] });
    expect(titlesOf(await mallory.get('/nodes?access=shared&sort=title&order=asc'))).toEqual([
      'bait',
      'shown',
    ]);
    const { body } = await mallory.post('/nodes/bulk-delete', { node_ids: [hidden.id, shown.id] });
    expect(body.errors.map(({ code }: { code: string }) => code)).toEqual([
      'NODE_NOT_FOUND',
      'PERMISSION_DENIED',
    ]);
  });

  /** An account that has imported one node with this schema, and the node. */
  const underSchema = async (id: string) => {
    const forger = await world.user();
    await node(forger, { title: 'bait', metadata: { properties: { guess: 1 } } });
    const entries = [...(await exported(forger))].map(([name, bytes]): [string, string] => [
      name,
      bytes.toString().replace(/"schema_id":( ?)null/g, `"schema_id":$1"${id}"`),
    ]);
    const user = await importer(zipped(entries));
    const [made] = (await user.get('/nodes')).body.nodes;
    const write = async () => {
      const { status, body } = await user.put(`/nodes/${made.id}`, {
        metadata: { properties: { guess: 2 } },
      });
      return [status, { ...body.error, request_id: null }];
    };
    return { user, made, write };
  };

  it('works under no schema that the account cannot see, and a hidden one reads as an absent one (rule 5.7)', async () => {
    const itself = await world.app();
    const rules = { json_schema: { required: ['code_name'] } };
    const hidden = await schema(await alice.lets(itself), { ...APP_ONLY, ...rules });
    const own = await schema(alice, { ...PRIVATE, ...rules });
    const answers: unknown[] = [];
    for (const id of [ABSENT, own.id, hidden.id]) {
      const { user, made, write } = await underSchema(id);
      expect(made.schema_id).toBe(importedId(user.id, id));
      const answer = await write();
      await user.authorizes(itself);
      expect(await write()).toEqual(answer);
      answers.push(answer);
    }
    expect(answers[0]).toMatchObject([400, { code: 'SCHEMA_NOT_FOUND' }]);
    expect(answers).toEqual([answers[0], answers[0], answers[0]]);
  });

  it('works under a public schema of other people', async () => {
    const open = await schema(alice, { json_schema: { required: ['code_name'] } });
    const { made, write } = await underSchema(open.id);
    expect(made.schema_id).toBe(open.id);
    expect(await write()).toMatchObject([400, { code: 'SCHEMA_VALIDATION_FAILED' }]);
  });

  it('gets an id for each row in both accounts that import it, and no id is in two accounts', async () => {
    const archive = await forged('twice', () => []);
    const users = [await importer(Promise.resolve(archive)), await importer(Promise.resolve(archive))];
    const [one, two] = await Promise.all(users.map(async (user) => idsIn(await exported(user))));
    expect(one?.length).toBeGreaterThan(1);
    expect(one?.filter((id) => two?.includes(id))).toEqual([]);
  });
});

const idsIn = (entries: Entries): string[] =>
  ['tags', 'nodes'].flatMap((table) => rowsOf(entries, `data/${table}.ndjson`).map(({ id }) => id));
