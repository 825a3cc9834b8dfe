import { codeOf, node, profile, tagId, titlesOf } from '../support/worlds/nodes.js';
import { allTags, someTags } from '../support/defaults.js';
import { type TestUser, type World } from '../support/world.js';
import { DENIED, GONE, UNKNOWN, assigns, group, joins, withPeople } from '../support/worlds/people.js';

describe('/groups/:group_id/nodes', () => {
  let world: World;
  let alice: TestUser;
  let bob: TestUser;
  let id: string;

  withPeople((people) => ({ world, alice, bob } = people));
  beforeEach(async () => {
    id = await group(alice, [bob]);
  });

  const make = async (title: string, more: object = {}) => {
    const made = await alice.post(`/groups/${id}/nodes`, { title, node_type: 'note', ...more });
    if (made.status !== 201) throw new Error(made.text);
    return made.body;
  };
  const list = async (who: TestUser, query = '') =>
    titlesOf(await who.get(`/groups/${id}/nodes?limit=100${query}`)).sort();
  const groupTag = async (name: string): Promise<string> =>
    (await alice.get(`/groups/${id}/tags`)).body.tags.find((tag: { name: string }) => tag.name === name).id;

  it('belongs to the group, and is reachable only through the group', async () => {
    const made = await make('map', { tags: ['sea'], value: 'north' });
    expect(made).toMatchObject({ owner_id: id, tags: ['sea'], title: 'map' });
    const path = `/groups/${id}/nodes/${made.id}`;
    expect((await bob.get(path)).body).toMatchObject({ title: 'map', tags: ['sea'], owner_id: id });
    const listed = (await bob.get(`/groups/${id}/nodes?include_tags=true`)).body;
    expect(listed).toMatchObject({
      total: 1,
      limit: 20,
      offset: 0,
      nodes: [{ title: 'map', tags: ['sea'], is_shared: false }],
    });
    for (const who of [alice, bob]) {
      expect((await who.get('/nodes')).body.total).toBe(0);
      expect((await who.get('/tags')).body.total).toBe(0);
      for (const method of ['GET', 'PUT', 'DELETE'])
        expect(
          codeOf(await who.send(method, `/nodes/${made.id}`, method === 'PUT' ? {} : undefined)),
        ).toEqual(GONE);
      expect(codeOf(await who.get(`/tags/${await groupTag('sea')}`))).toEqual([404, 'NOT_FOUND']);
    }
    expect((await alice.put(path, { value: 'south' })).body.value).toBe('south');
    expect(codeOf(await alice.with({ 'If-Match': '"1"' }).put(path, { value: 'x' }))).toEqual([
      412,
      'PRECONDITION_FAILED',
    ]);
    expect((await alice.delete(path)).status).toBe(204);
    expect(codeOf(await alice.get(path))).toEqual(GONE);
    expect(codeOf(await alice.get(`/groups/${id}/nodes/${UNKNOWN}`))).toEqual(GONE);
    expect(codeOf(await alice.get(`/groups/${id}/nodes/no-id`))).toEqual(GONE);
  });

  it('parameters of the query filter the graph of a group', async () => {
    await make('one', { meaning_level: 'DATA' });
    await make('two', { node_type: 'place', graph_view: 'neutral' });
    expect(await list(bob, '&node_type=place')).toEqual(['two']);
    expect(await list(bob, '&meaning_level=DATA')).toEqual(['one']);
    expect(await list(bob, '&graph_view=neutral')).toEqual(['two']);
    expect(await list(bob, '&search=ON')).toEqual(['one']);
    expect((await bob.get(`/groups/${id}/nodes?limit=1&offset=1`)).body).toMatchObject({
      total: 2,
      nodes: [{ title: 'one' }],
    });
  });

  it('members without a profile read the graph of their group, and cannot write it', async () => {
    const made = await make('map', { tags: ['sea'] });
    expect(await list(bob)).toEqual(['map']);
    const tags = { total: 1, limit: 1_000, offset: 0, tags: [{ name: 'sea' }] };
    for (const query of ['', '?limit=5000'])
      expect((await bob.get(`/groups/${id}/tags${query}`)).body).toMatchObject(tags);
    expect(codeOf(await bob.post(`/groups/${id}/nodes`, { title: 'x', node_type: 'note' }))).toEqual(DENIED);
    expect(codeOf(await bob.post(`/groups/${id}/tags`, { name: 'x' }))).toEqual(DENIED);
    expect(codeOf(await bob.put(`/groups/${id}/nodes/${made.id}`, { value: 'x' }))).toEqual(DENIED);
    expect(codeOf(await bob.delete(`/groups/${id}/nodes/${made.id}`))).toEqual(DENIED);
  });

  it('members read and change the graph through their profile, from the next request on', async () => {
    const [sea, land] = [await make('sea', { tags: ['sea'] }), await make('land', { tags: ['land'] })];
    const tag = await groupTag('sea');
    const profileId = await assigns(alice, id, {
      to: bob,
      body: { tag_permissions: { read: someTags(tag), edit: someTags(tag), create: someTags(tag) } },
    });
    expect(await list(bob)).toEqual(['sea']);
    expect(codeOf(await bob.get(`/groups/${id}/nodes/${land.id}`))).toEqual(GONE);
    expect((await bob.put(`/groups/${id}/nodes/${sea.id}`, { value: 'x' })).status).toBe(200);
    expect(codeOf(await bob.delete(`/groups/${id}/nodes/${sea.id}`))).toEqual(DENIED);
    expect(
      (await bob.post(`/groups/${id}/nodes`, { title: 'mine', node_type: 'note', tags: ['sea'] })).body
        .owner_id,
    ).toBe(id);
    expect(
      codeOf(await bob.post(`/groups/${id}/nodes`, { title: 'x', node_type: 'note', tags: ['new'] })),
    ).toEqual(DENIED);
    expect(codeOf(await bob.post(`/groups/${id}/nodes`, { title: 'x', node_type: 'note' }))).toEqual(DENIED);
    expect(codeOf(await bob.post(`/groups/${id}/tags`, { name: 'x' }))).toEqual(DENIED);
    expect((await bob.get(`/groups/${id}/tags`)).body.tags.map(({ name }: { name: string }) => name)).toEqual(
      ['sea'],
    );
    await alice.put(`/groups/${id}/exposure-profiles/${profileId}`, {
      tag_permissions: { read: allTags, delete: someTags(tag), create: { ...allTags } },
    });
    expect(await list(bob)).toEqual(['land', 'mine', 'sea']);
    expect(codeOf(await bob.put(`/groups/${id}/nodes/${sea.id}`, { value: 'y' }))).toEqual(DENIED);
    expect((await bob.delete(`/groups/${id}/nodes/${sea.id}`)).status).toBe(204);
    expect((await bob.post(`/groups/${id}/tags`, { name: 'x' })).status).toBe(201);
    await alice.put(`/groups/${id}/exposure-profiles/${profileId}`, { is_active: false });
    expect(await list(bob)).toEqual([]);
    expect(codeOf(await bob.get(`/groups/${id}/nodes/${land.id}`))).toEqual(GONE);
    await alice.post(`/groups/${id}/members/${bob.id}/promote`);
    expect(await list(bob)).toEqual(['land', 'mine']);
    await alice.put(`/groups/${id}/members/${bob.id}`, { role: 'member', exposure_profile_id: null });
    expect(await list(bob)).toEqual(['land', 'mine']);
    await alice.delete(`/groups/${id}/members/${bob.id}`);
    expect(codeOf(await bob.get(`/groups/${id}/nodes`))).toEqual([403, 'NOT_A_MEMBER']);
  });

  it('the profile decides the detail and the transformations in the graph of a group', async () => {
    await make('map', { value: 'mail a@example.org' });
    await assigns(alice, id, {
      to: bob,
      body: { tag_permissions: { read: allTags }, transformations: ['pii_redaction'] },
    });
    expect((await bob.get(`/groups/${id}/nodes`)).body.nodes[0].value).toContain('REDACTED');
    expect(await list(bob, '&search=example.org')).toEqual([]);
    await assigns(alice, id, {
      to: bob,
      body: { tag_permissions: { read: allTags }, max_detail_level: 'minimal' },
    });
    expect((await bob.get(`/groups/${id}/nodes`)).body.nodes[0].title).toBeUndefined();
  });

  describe('sharing into a group', () => {
    const shareIn = async (who: TestUser, body: object) => {
      const made = await who.post('/exposure-profiles', { name: `shared ${world.number()}`, ...body });
      const sent = (await who.get(`/groups/${id}/share`)).status === 200 ? 'PUT' : 'POST';
      const shared = await who.send(sent, `/groups/${id}/share`, { exposure_profile_id: made.body.id });
      if (shared.status >= 300) throw new Error(`${made.text} ${shared.text}`);
      return made.body.id as string;
    };

    it('nodes that members share into a group appear to every member, marked, and are read-only for all', async () => {
      await make('map');
      const open = await node(bob, { title: 'open', tags: ['open'] });
      const secret = await node(bob, { title: 'secret', tags: ['open', 'secret'] });
      const used = await shareIn(
        bob,
        profile({ read: [await tagId(bob, 'open')] }, { tag_filters: { exclude_any: ['secret'] } }),
      );
      const carol = await world.user();
      await joins(carol, alice, id);
      for (const who of [alice, bob, carol]) {
        expect(await list(who)).toEqual(['map', 'open']);
        expect((await who.get(`/groups/${id}/nodes/${open.id}`)).body.owner_id).toBe(bob.id);
        expect(codeOf(await who.put(`/groups/${id}/nodes/${open.id}`, { value: 'x' }))).toEqual(DENIED);
        expect(codeOf(await who.delete(`/groups/${id}/nodes/${open.id}`))).toEqual(DENIED);
        for (const method of ['GET', 'PUT', 'DELETE'])
          expect(
            codeOf(
              await who.send(method, `/groups/${id}/nodes/${secret.id}`, method === 'PUT' ? {} : undefined),
            ),
          ).toEqual(GONE);
      }
      const listed = (await alice.get(`/groups/${id}/nodes?include_tags=true&search=open`)).body;
      expect(listed).toMatchObject({
        total: 1,
        nodes: [{ is_shared: true, tags: ['open'], owner_id: bob.id }],
      });
      expect(codeOf(await alice.get(`/nodes/${open.id}`))).toEqual(GONE);
      await bob.put(`/exposure-profiles/${used}`, { is_active: false });
      expect(await list(alice)).toEqual(['map']);
      await bob.put(`/exposure-profiles/${used}`, { is_active: true });
      expect(await list(alice)).toEqual(['map', 'open']);
      await bob.delete(`/groups/${id}/share`);
      expect(await list(alice)).toEqual(['map']);
      await shareIn(bob, profile({ read: 'all' }));
      expect(await list(carol)).toEqual(['map', 'open', 'secret']);
      await alice.delete(`/groups/${id}/members/${bob.id}`);
      expect(await list(carol)).toEqual(['map']);
    });

    it('nodes that members share into a group count as untagged for the reader, and pass both profiles', async () => {
      await make('map', { tags: ['sea'] });
      const carol = await world.user();
      await joins(carol, alice, id);
      await node(carol, { title: 'note', value: 'mail a@example.org', tags: ['x'] });
      await node(carol, { title: 'thing', node_type: 'thing' });
      await shareIn(carol, profile({ read: 'all' }, { max_detail_level: 'summary' }));
      await assigns(alice, id, {
        to: bob,
        body: { tag_permissions: { read: someTags(await groupTag('sea')) } },
      });
      expect(await list(bob)).toEqual(['map']);
      await assigns(alice, id, {
        to: bob,
        body: { tag_permissions: { read: allTags }, excluded_node_types: ['thing'] },
      });
      expect(await list(bob)).toEqual(['map', 'note']);
      const shown = (await bob.get(`/groups/${id}/nodes?search=note`)).body.nodes[0];
      expect(shown.title).toBe('note');
      expect(shown.value).toBeUndefined();
      expect(await list(bob, '&search=mail')).toEqual([]);
      await shareIn(carol, profile({ read: 'all' }, { transformations: ['pii_redaction'] }));
      expect(await list(alice, '&search=example.org')).toEqual([]);
      expect(await list(alice, '&search=REDACTED')).toEqual(['note']);
    });
  });

  it('profiles of a group are reachable only below the group', async () => {
    const made = (
      await alice.post(`/groups/${id}/exposure-profiles`, {
        name: 'readers',
        tag_permissions: { read: allTags },
      })
    ).body;
    expect(made).toMatchObject({ owner_id: id, name: 'readers', is_default: false });
    expect((await alice.get(`/groups/${id}/exposure-profiles`)).body).toMatchObject({
      total: 1,
      exposure_profiles: [{ id: made.id }],
    });
    expect(codeOf(await alice.get(`/exposure-profiles/${made.id}`))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await alice.post(`/groups/${id}/exposure-profiles`, { name: 'READERS' }))).toEqual([
      409,
      'PROFILE_NAME_EXISTS',
    ]);
    expect((await alice.put(`/groups/${id}/exposure-profiles/${made.id}`, { name: 'all' })).body.name).toBe(
      'all',
    );
    const own = await tagId(alice, 'own');
    const foreign = await alice.put(`/groups/${id}/exposure-profiles/${made.id}`, {
      tag_permissions: { read: someTags(own) },
    });
    expect(codeOf(foreign)).toEqual([404, 'NOT_FOUND']);
    expect((await alice.delete(`/groups/${id}/exposure-profiles/${made.id}`)).body).toMatchObject({
      id: made.id,
    });
    expect(codeOf(await alice.delete(`/groups/${id}/exposure-profiles/${made.id}`))).toEqual([
      404,
      'NOT_FOUND',
    ]);
  });
});
