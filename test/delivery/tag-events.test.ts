import { describe, expect, it } from '@jest/globals';
import { type Client } from '../support/client.js';
import { allSchemas, allTags, readOnly, someTags } from '../support/defaults.js';
import { type TestUser, type World } from '../support/world.js';
import { deliver, type Receiver, withTwoTags } from './receiver.js';

const EVENTS = ['tag.created', 'tag.updated', 'tag.deleted'];

/** Events are sent only by explicit calls. */
describe('events of tags (rule 9.4h)', () => {
  let world: World;
  let receiver: Receiver;
  let alice: TestUser;
  let client: Client;
  let profileId: string;
  let open: string;
  let secret: string;
  withTwoTags((met) => ({ world, receiver, alice, open, secret } = met));

  const tag = async (name: string): Promise<string> => (await alice.post('/tags', { name })).body.id;
  const change = async (path: string, body: object) => expect((await alice.put(path, body)).status).toBe(200);
  const lets = async (rules: object) => {
    const app = await world.app({ requested: readOnly });
    const given = await alice.authorizes(app, { schema_permissions: allSchemas, ...rules });
    profileId = given.profile.id;
    client = app.as(alice);
    const body = { webhook_url: receiver.url, events: EVENTS };
    expect((await client.post('/webhooks/subscribe', body)).status).toBe(201);
  };
  const knowsOpen = () => lets({ tag_permissions: { discover: someTags(open), read: someTags(open) } });
  const knowsAll = () => lets({ tag_permissions: { discover: allTags, read: allTags } });
  const news = async () => {
    await deliver(world);
    const heard = receiver.received.map(({ body: { event, data } }) => ({ event, data }));
    receiver.clear();
    return heard;
  };
  const shown = async (id: string) => (await client.get(`/tags/${id}`)).body;
  const listed = async (id: string) =>
    (await client.get('/tags?access=owned')).body.tags.find((one: { id: string }) => one.id === id);

  it('a created, changed and deleted tag is sent as the app reads it, with what changed', async () => {
    await knowsAll();
    const id = await tag('sailing');
    expect(await news()).toEqual([{ event: 'tag.created', data: await listed(id) }]);
    await change(`/tags/${id}`, { name: 'boats', description: 'on water' });
    expect(await news()).toEqual([
      {
        event: 'tag.updated',
        data: {
          ...(await listed(id)),
          changes: {
            name: { old: 'sailing', new: 'boats' },
            description: { old: null, new: 'on water' },
          },
        },
      },
    ]);
    expect((await shown(id)).name).toBe('boats');
    await alice.delete(`/tags/${id}`);
    expect(await news()).toEqual([{ event: 'tag.deleted', data: { id, tag_id: id, reason: 'deleted' } }]);
  });

  it('a tag that the app may not know is sent at no step of its life', async () => {
    await knowsOpen();
    const made = await tag('new');
    await change(`/tags/${secret}`, { name: 'more secret' });
    await change(`/tags/${made}`, { description: 'buried' });
    for (const id of [made, secret]) await alice.delete(`/tags/${id}`);
    expect(await news()).toEqual([]);
    expect((await client.get('/webhooks/deliveries')).body.total).toBe(0);
  });

  it('the deletion of a tag is sent to an app that is granted this tag alone', async () => {
    await knowsOpen();
    await change(`/tags/${open}`, { name: 'opened' });
    expect((await news()).map(({ event, data }) => [event, data.name])).toEqual([['tag.updated', 'opened']]);
    await alice.delete(`/tags/${open}`);
    expect(await news()).toEqual([
      { event: 'tag.deleted', data: { id: open, tag_id: open, reason: 'deleted' } },
    ]);
  });

  it('a tag that a profile no longer grants makes no event, neither then nor when it changes or ends', async () => {
    await knowsOpen();
    await change(`/tags/${open}`, { name: 'opened' });
    await news();
    await change(`/exposure-profiles/${profileId}`, {
      tag_permissions: { discover: someTags(secret), read: someTags(secret) },
    });
    await change(`/tags/${open}`, { name: 'open again' });
    await alice.delete(`/tags/${open}`);
    expect(await news()).toEqual([]);
  });

  it('a deletion that waits is not sent once the profile no longer grants the tag, even if it is redelivered', async () => {
    await knowsOpen();
    receiver.answer = 500;
    await alice.delete(`/tags/${open}`);
    expect((await news()).map(({ event }) => event)).toEqual(['tag.deleted']);
    const { deliveries } = (await client.get('/webhooks/deliveries')).body;
    await change(`/exposure-profiles/${profileId}`, {
      tag_permissions: { discover: someTags(secret), read: someTags(secret) },
    });
    receiver.answer = 200;
    for (const { id } of deliveries) await client.post(`/webhooks/deliveries/${id}/redeliver`);
    expect(await news()).toEqual([]);
    expect(deliveries).toHaveLength(1);
  });

  it('a parent that the app may not know is null, and a change of it alone makes no event', async () => {
    await knowsOpen();
    await change(`/tags/${open}`, { parent_tag_id: secret });
    expect(await news()).toEqual([]);
    await change(`/tags/${open}`, { name: 'opened' });
    const [update] = await news();
    const data = update?.data;
    expect(data).toEqual({ ...(await listed(open)), changes: { name: { old: 'open', new: 'opened' } } });
    expect(JSON.stringify(data)).not.toContain(secret);
  });

  it('waiting events of tags end with the authorization of the app', async () => {
    await knowsAll();
    receiver.answer = 500;
    await tag('sailing');
    await deliver(world);
    receiver.clear();
    const [{ id }] = (await alice.get('/authorizations')).body.authorizations;
    expect((await alice.delete(`/authorizations/${id}`)).status).toBe(200);
    await tag('boats');
    expect(await news()).toEqual([]);
  });
});
