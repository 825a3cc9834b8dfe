import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChangeSink } from '../../src/kernel/change-log/change-sink.js';
import { Database } from '../../src/kernel/database/database.js';
import { letsIn, node, profile, tagId } from '../support/worlds/nodes.js';
import { approved, proposed, proposer, ready } from '../support/worlds/proposals.js';
import { type Answer, Client } from '../support/client.js';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { type TestUser, type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

const PASSWORD = 'correct horse battery';
const REFUSED = '401 REAUTHENTICATION_REQUIRED';

/** Rule 1.16: nodes that a write shows others count like single nodes that are shared. */
describe('step-up', () => {
  let world: World;
  let clock: ReturnType<typeof holdClock>;
  let user: TestUser;
  let other: TestUser;
  withWorld((started) => (world = started));
  beforeEach(async () => {
    clock = holdClock(world);
    [user, other] = [await world.user(), await world.user()];
  });
  afterEach(() => letClockRun(world));
  // Each proof is expected by its test.
  afterEach(() => expect(user.takeProofs()).toEqual([]));

  const bare = (token = user.token): Client => new Client(world.origin, { Authorization: `Bearer ${token}` });
  const codeOf = ({ status, body }: Answer): string => `${status} ${body?.error?.code ?? ''}`.trim();
  const notes = (count: number, rest: object) =>
    Array.from({ length: count }, (_, index) => ({ node_type: 'note', title: `note ${index}`, ...rest }));
  const made = async (count: number, rest: object): Promise<string[]> =>
    (await user.post('/nodes/batch', { nodes: notes(count, rest) })).body.created.map(
      ({ id }: { id: string }) => id,
    );
  /** An app that reads everything except nodes with the tag `secret` or the type `diary`. */
  const reader = (rest: object = {}): Promise<Client> =>
    letsIn(
      world,
      user,
      profile(
        { read: 'all', discover: 'all' },
        { tag_filters: { exclude_any: ['secret'] }, excluded_node_types: ['diary'], ...rest },
      ),
    );
  const sees = async (client: Client, id: string): Promise<boolean> =>
    (await client.get(`/nodes/${id}`)).status === 200;
  /** Uses all single things that a log-in has until the next proof. */
  const useUp = async (): Promise<void> => {
    const node_ids = await made(20, { tags: ['spare'] });
    clock.advance(301);
    const share = { shared_with_user_id: other.id, scope: 'specific_nodes', node_ids };
    expect((await bare().post('/sharing', share)).status).toBe(201);
  };

  it('removing a tag from more than twenty nodes that this shows others needs a fresh log-in', async () => {
    const ids = await made(22, { tags: ['secret', 'home'] });
    const secret = await tagId(user, 'secret');
    const app = await reader();
    clock.advance(301);
    const open = (id: string, client = bare()) => client.delete(`/nodes/${id}/tags/${secret}`);
    for (const id of ids.slice(0, 20)) expect((await open(id)).status).toBe(200);
    const last = ids[21] as string;
    expect(codeOf(await open(last))).toBe(REFUSED);
    expect(await sees(app, last)).toBe(false);
    expect((await user.get(`/nodes/${last}`)).body).toMatchObject({ version: 1 });
    const proved = await bare().post('/auth/reauthenticate', { password: PASSWORD });
    expect((await open(last, bare(proved.body.access_token))).status).toBe(200);
    expect(await sees(app, last)).toBe(true);
  });

  it('all parts of one write count as shown nodes, and a refused write stores nothing', async () => {
    const [tagged, diary, batched] = [
      await node(user, { title: 'tagged', tags: ['secret', 'home'] }),
      await node(user, { title: 'diary', node_type: 'diary', tags: ['home'] }),
      await node(user, { title: 'batched', tags: ['secret'] }),
    ];
    const secret = await tagId(user, 'secret');
    const app = await reader();
    await useUp();
    const writes: [string, () => Promise<Answer>][] = [
      ['PUT of tags', () => bare().put(`/nodes/${tagged.id}`, { tags: ['home'] })],
      ['PATCH of tags', () => bare().patch(`/nodes/${tagged.id}`, { tags: ['home'] })],
      ['one tag', () => bare().delete(`/nodes/${tagged.id}/tags/${secret}`)],
      ['another type', () => bare().put(`/nodes/${diary.id}`, { node_type: 'note' })],
      [
        'a batch',
        () =>
          bare().post('/nodes/batch', {
            nodes: [
              { node_type: 'note', title: 'batched', tags: ['home'] },
              { node_type: 'note', title: 'another', tags: ['home'] },
            ],
            on_duplicate: 'overwrite',
          }),
      ],
    ];
    for (const [name, write] of writes) expect([name, codeOf(await write())]).toEqual([name, REFUSED]);
    for (const { id } of [tagged, diary, batched]) {
      expect((await user.get(`/nodes/${id}`)).body).toMatchObject({ version: 1 });
      expect(await sees(app, id)).toBe(false);
    }
    expect((await user.get('/nodes?search=another')).body.total).toBe(0);
  });

  it('removing the last tag shows nobody the deleted node, and needs no proof of identity', async () => {
    const { id } = await node(user, { tags: ['secret'] });
    const secret = await tagId(user, 'secret');
    const app = await reader();
    await useUp();
    expect((await bare().delete(`/nodes/${id}/tags/${secret}`)).status).toBe(200);
    expect((await bare().post(`/nodes/${id}/restore`)).status).toBe(200);
    expect(await sees(app, id)).toBe(false);
  });

  it('removing a deleted tag that hides nodes counts them as shown', async () => {
    const { id } = await node(user, { tags: ['secret', 'home'] });
    const secret = await tagId(user, 'secret');
    const app = await reader();
    await useUp();
    expect((await bare().delete(`/tags/${secret}`)).status).toBe(200);
    expect((await bare().put(`/nodes/${id}`, { tags: ['other'] })).status).toBe(200);
    expect(await sees(app, id)).toBe(false);
    expect(codeOf(await bare().delete(`/nodes/${id}/tags/${secret}`))).toBe(REFUSED);
    expect(await sees(app, id)).toBe(false);
  });

  it('lifting the mask of an app counts the node as shown', async () => {
    const { id } = await node(user, { value: 'my number', tags: ['masked', 'home'] });
    const masked = await tagId(user, 'masked');
    const mask = { type: 'field_mask', config: { paths: ['value'], strategy: 'remove' } };
    await reader({ transformations: [{ ...mask, apply_to: { tag_ids: [masked] } }] });
    await useUp();
    expect(codeOf(await bare().put(`/nodes/${id}`, { tags: ['home'] }))).toBe(REFUSED);
  });

  it('a tag that moves nodes into a share, a group or an app counts them as shown', async () => {
    const { id } = await node(user, { tags: ['home'] });
    const open = await tagId(user, 'open');
    await user.post('/sharing', { shared_with_user_id: other.id, scope: 'specific_tags', tag_ids: [open] });
    const { body: group } = await user.post('/groups', { name: 'crew' });
    const seen = await tagId(user, 'seen');
    const { body: granted } = await user.post('/exposure-profiles', {
      name: 'for the crew',
      ...profile({ read: [seen] }),
    });
    await user.post(`/groups/${group.id}/share`, { exposure_profile_id: granted.id });
    const work = await tagId(user, 'work');
    await letsIn(world, user, profile({ read: [work] }));
    const plain = await tagId(user, 'plain');
    await useUp();
    for (const tag_id of [open, seen, work])
      expect(codeOf(await bare().post(`/nodes/${id}/tags`, { tag_id }))).toBe(REFUSED);
    expect((await bare().post(`/nodes/${id}/tags`, { tag_id: plain })).status).toBe(201);
    expect((await bare().post('/nodes', { node_type: 'note', title: 'new', tags: ['open'] })).status).toBe(
      201,
    );
  });

  it('shown nodes count for the recipients of any of 201 shares by tags, which are read in pages', async () => {
    const { id: node_id } = await node(user, { tags: ['home'] });
    const tags: string[] = [];
    // One person may be given 200, by somebody to whom they give a share, and the next step gives one more (rule 10.7h).
    const last = await world.user();
    for (const recipient of [other, last]) {
      const share = {
        shared_with_user_id: user.id,
        scope: 'specific_nodes',
        node_ids: [(await node(recipient)).id],
      };
      expect((await recipient.post('/sharing', share)).status).toBe(201);
    }
    for (let index = 0; index < 201; index++) {
      const tag = await tagId(user, `tag ${index}`);
      const recipient = index < 150 ? other : last;
      const share = { shared_with_user_id: recipient.id, scope: 'specific_tags', tag_ids: [tag] };
      expect((await user.post('/sharing', share)).status).toBe(201);
      tags.push(tag);
    }
    await useUp();
    for (const tag_id of tags)
      expect(codeOf(await bare().post(`/nodes/${node_id}/tags`, { tag_id }))).toBe(REFUSED);
  });

  it('nodes shown to members in the own graph of a group count', async () => {
    const { body: group } = await user.post('/groups', { name: 'crew' });
    const below = `/groups/${group.id}`;
    const { body: invitation } = await user.post(`${below}/invitations`, { user_id: other.id });
    await other.put(`/groups/invitations/${invitation.id}`, { action: 'accept' });
    const { body: tag } = await user.post(`${below}/tags`, { name: 'open' });
    const { body: granted } = await user.post(`${below}/exposure-profiles`, {
      name: 'readers',
      ...profile({ read: [tag.id] }),
    });
    await user.put(`${below}/members/${other.id}`, { exposure_profile_id: granted.id });
    const { body: hidden } = await user.post(`${below}/nodes`, { node_type: 'note', title: 'hidden' });
    await useUp();
    expect(codeOf(await bare().put(`${below}/nodes/${hidden.id}`, { tags: ['open'] }))).toBe(REFUSED);
    expect((await other.get(`${below}/nodes/${hidden.id}`)).status).toBe(404);
  });

  it('approving and reverting a proposal count the nodes shown, applying it does not (rule 1.16g)', async () => {
    const { id } = await node(user, { tags: ['secret', 'home'] });
    const { id: plain } = await node(user, { tags: ['home'] });
    const app = await proposer(world, user, 'all');
    const blind = await reader();
    const removing = { type: 'REMOVE_TAGS', canonical_data: { node_id: id, tags: ['secret'] } };
    const adding = { type: 'ADD_TAGS', canonical_data: { node_id: plain, tags: ['secret'] } };
    const renaming = {
      type: 'UPDATE_NODE',
      canonical_data: { node_id: plain, changes: { title: 'another' } },
    };
    const added = await approved(user, app, adding);
    expect((await user.post(`/proposals/${added}/apply`)).body.status).toBe('APPLIED');
    const waiting = await approved(user, app, removing);
    const [asked, harmless] = [await proposed(app, removing), await proposed(app, renaming)];
    for (const { id: one } of [asked, harmless]) expect((await ready(app, one)).status).toBe(200);
    await useUp();
    for (const apply of [true, false])
      expect(codeOf(await bare().post(`/proposals/${asked.id}/approve`, { apply }))).toBe(REFUSED);
    expect((await bare().post(`/proposals/${harmless.id}/approve`, {})).status).toBe(200);
    expect(codeOf(await bare().post(`/proposals/${added}/revert`))).toBe(REFUSED);
    expect((await user.get(`/nodes/${plain}`)).body.tags).toContain('secret');
    for (const hidden of [id, plain]) expect(await sees(blind, hidden)).toBe(false);
    expect((await bare().post(`/proposals/${waiting}/apply`)).body.status).toBe('APPLIED');
    expect(await sees(blind, id)).toBe(true);
  });

  it('approved and applied proposals show twenty nodes at most together, each counted once (rule 1.16g)', async () => {
    const ids = await made(21, { tags: ['secret', 'home'] });
    const app = await proposer(world, user, 'all');
    const blind = await reader();
    const offers: string[] = [];
    for (const node_id of ids) {
      const offer = await proposed(app, {
        type: 'REMOVE_TAGS',
        canonical_data: { node_id, tags: ['secret'] },
      });
      expect((await ready(app, offer.id)).status).toBe(200);
      offers.push(offer.id);
    }
    clock.advance(301);
    for (const offer of offers.slice(0, 10))
      expect((await bare().post(`/proposals/${offer}/approve`, { apply: true })).body.status).toBe('APPLIED');
    for (const offer of offers.slice(10, 20)) {
      expect((await bare().post(`/proposals/${offer}/approve`, {})).status).toBe(200);
      expect((await bare().post(`/proposals/${offer}/apply`)).body.status).toBe('APPLIED');
    }
    expect(codeOf(await bare().post(`/proposals/${offers[20]}/approve`, {}))).toBe(REFUSED);
    expect(await sees(blind, ids[19] as string)).toBe(true);
    expect(await sees(blind, ids[20] as string)).toBe(false);
  });

  it('a write that is repeated after a lost serialization counts its nodes once (rule 1.16g)', async () => {
    const ids = await made(21, { tags: ['secret', 'home'] });
    await reader();
    clock.advance(301);
    const sink = world.nest.get(ChangeSink);
    const flush = sink.flush.bind(sink);
    let failures = 0;
    sink.flush = async (unit) => {
      if (failures++ % 2 === 0) throw Object.assign(new Error('serialization'), { code: '40001' });
      return flush(unit);
    };
    try {
      for (const id of ids.slice(0, 20))
        expect((await bare().put(`/nodes/${id}`, { tags: ['home'] })).status).toBe(200);
      expect(failures).toBeGreaterThanOrEqual(40);
    } finally {
      sink.flush = flush;
    }
    expect(codeOf(await bare().put(`/nodes/${ids[20]}`, { tags: ['home'] }))).toBe(REFUSED);
  });

  it('restoring more than twenty nodes that others may read needs a fresh log-in (rule 1.16g)', async () => {
    const ids = await made(22, { tags: ['work'] });
    for (const id of ids) expect((await user.delete(`/nodes/${id}`)).status).toBe(204);
    const work = await tagId(user, 'work');
    const app = await letsIn(world, user, profile({ read: [work] }));
    await user.post('/sharing', { shared_with_user_id: other.id, scope: 'specific_tags', tag_ids: [work] });
    clock.advance(301);
    const restore = (id: string, client = bare()) => client.post(`/nodes/${id}/restore`);
    for (const id of ids.slice(0, 20)) expect((await restore(id)).status).toBe(200);
    const last = ids[21] as string;
    expect(codeOf(await restore(last))).toBe(REFUSED);
    for (const client of [app, other]) expect(await sees(client, last)).toBe(false);
    expect((await user.get('/nodes?deleted=true')).body.total).toBe(2);
    const proved = await bare().post('/auth/reauthenticate', { password: PASSWORD });
    expect((await restore(last, bare(proved.body.access_token))).status).toBe(200);
    for (const client of [app, other]) expect(await sees(client, last)).toBe(true);
  });

  /** Each lets `other` read everything that `user` restores, or these nodes. */
  const WAYS: [string, (ids: string[]) => Promise<unknown>][] = [
    ['a share of everything', () => user.post('/sharing', { shared_with_user_id: other.id, scope: 'all' })],
    [
      'a share of single nodes',
      (node_ids) => {
        const named = { scope: 'specific_nodes', node_ids };
        return user.post('/sharing', { shared_with_user_id: other.id, ...named });
      },
    ],
    [
      'a follow of a public account',
      async () => {
        await user.patch('/auth/me', { is_public: true });
        await other.post('/follows', { target_user_id: user.id });
      },
    ],
  ];
  it.each(WAYS)(
    'restoring more than twenty nodes that %s reaches needs a fresh log-in (rule 1.16g)',
    async (_, give) => {
      const ids = await made(22, { tags: ['work'] });
      await give(ids);
      const last = ids[21] as string;
      expect(await sees(other, last)).toBe(true);
      for (const id of ids) expect((await user.delete(`/nodes/${id}`)).status).toBe(204);
      clock.advance(301);
      const restore = (id: string, client = bare()) => client.post(`/nodes/${id}/restore`);
      for (const id of ids.slice(0, 20)) expect((await restore(id)).status).toBe(200);
      expect(codeOf(await restore(last))).toBe(REFUSED);
      expect(await sees(other, last)).toBe(false);
      expect((await restore(last, user)).status).toBe(200);
      expect(user.takeProofs()).toEqual(['POST /nodes/:id/restore']);
      expect(await sees(other, last)).toBe(true);
    },
  );

  it('nodes shown in the own graph of a group count for people who are invited by a profile', async () => {
    const { body: group } = await user.post('/groups', { name: 'crew' });
    const below = `/groups/${group.id}`;
    const { body: tag } = await user.post(`${below}/tags`, { name: 'open' });
    const body = { name: 'readers', ...profile({ read: [tag.id] }) };
    const { body: granted } = await user.post(`${below}/exposure-profiles`, body);
    const { body: hidden } = await user.post(`${below}/nodes`, { node_type: 'note', title: 'hidden' });
    clock.advance(301);
    // The onlookers of before the invitation are cached by this.
    for (const tags of [['closed', 'shut'], ['closed']])
      expect((await bare().put(`${below}/nodes/${hidden.id}`, { tags })).status).toBe(200);
    const invited = { user_id: other.id, exposure_profile_id: granted.id };
    expect((await user.post(`${below}/invitations`, invited)).status).toBe(201);
    expect(user.takeProofs()).toEqual(['POST /groups/:id/invitations']);
    await useUp();
    expect(codeOf(await bare().put(`${below}/nodes/${hidden.id}`, { tags: ['open'] }))).toBe(REFUSED);
  });

  it('undoing the deletion or the merge of a proposal counts the nodes shown', async () => {
    const [gone, target, source] = [
      await node(user, { title: 'gone', tags: ['home'] }),
      await node(user, { title: 'target', tags: ['home'] }),
      await node(user, { title: 'source', tags: ['home'] }),
    ];
    const app = await proposer(world, user, 'all');
    const taken = [];
    for (const body of [
      { type: 'DELETE_NODE', canonical_data: { node_id: gone.id } },
      {
        type: 'MERGE_NODES',
        canonical_data: { source_node_ids: [source.id], target_node_id: target.id },
      },
    ]) {
      const id = await approved(user, app, body);
      expect((await user.post(`/proposals/${id}/apply`)).body.status).toBe('APPLIED');
      taken.push(id);
    }
    await useUp();
    for (const id of taken) expect(codeOf(await bare().post(`/proposals/${id}/revert`))).toBe(REFUSED);
    for (const { id } of [gone, source]) expect(await sees(app, id)).toBe(false);
    for (const id of taken) expect((await user.post(`/proposals/${id}/revert`)).status).toBe(200);
    for (const { id } of [gone, source]) expect(await sees(app, id)).toBe(true);
    expect(user.takeProofs()).toEqual(['POST /proposals/:id/revert']);
  });

  it('writes without readers count no node as shown', async () => {
    const { id } = await node(user, { tags: ['secret', 'home'] });
    await useUp();
    expect((await bare().put(`/nodes/${id}`, { tags: ['home'] })).status).toBe(200);
    expect((await bare().put(`/nodes/${id}`, { node_type: 'diary' })).status).toBe(200);
  });

  it('ordinary writes, narrowing, and restoring what no one else may read count no node as shown', async () => {
    const [open, hidden] = (await made(2, { tags: ['home'] })) as [string, string];
    await user.put(`/nodes/${hidden}`, { tags: ['secret', 'home'] });
    const app = await reader();
    await useUp();
    for (const id of [open, hidden]) {
      expect((await bare().put(`/nodes/${id}`, { title: `title ${id}`, value: 'text' })).status).toBe(200);
    }
    expect((await bare().delete(`/nodes/${hidden}`)).status).toBe(204);
    expect((await bare().post(`/nodes/${hidden}/restore`)).status).toBe(200);
    expect((await bare().put(`/nodes/${hidden}`, { tags: ['secret', 'work'] })).status).toBe(200);
    expect((await bare().put(`/nodes/${open}`, { tags: ['work'] })).status).toBe(200);
    expect((await bare().put(`/nodes/${open}`, { tags: ['work', 'secret'] })).status).toBe(200);
    expect([await sees(app, open), await sees(app, hidden)]).toEqual([false, false]);
  });

  it('writes cost a user without readers one check and no further statement, and a fresh log-in none', async () => {
    const [first, second] = (await made(2, { tags: ['a', 'b'] })) as [string, string];
    const names: string[] = [];
    const database = world.nest.get(Database);
    const read = database.read.bind(database);
    database.read = (statement: never, name?: string) => {
      if (name?.startsWith('onlookers') || name === 'shares-by-tags') names.push(name);
      return read(statement, name as never);
    };
    try {
      expect((await user.put(`/nodes/${first}`, { tags: ['a'] })).status).toBe(200);
      expect(names).toEqual([]);
      clock.advance(301);
      expect((await bare().put(`/nodes/${first}`, { tags: ['b'] })).status).toBe(200);
      expect(names).toHaveLength(3);
      expect((await bare().put(`/nodes/${second}`, { tags: ['b'] })).status).toBe(200);
      expect(names).toHaveLength(3);
    } finally {
      database.read = read;
    }
  });
});
