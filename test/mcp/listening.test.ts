import { type SubscriptionFilter } from '@modelcontextprotocol/client';
import { publicFetch } from '../oauth/public-fetch.js';
import { allSchemas } from '../support/defaults.js';
import { modernAssistant } from '../support/mcp.js';
import { OAuthWorld } from '../support/oauth.js';
import { until } from '../support/until.js';
import { type TestUser } from '../support/world.js';

describe('streams of changes by MCP (rule 15.7)', () => {
  let oauth: OAuthWorld;
  let person: TestUser;
  beforeAll(async () => {
    oauth = await OAuthWorld.start();
    person = await oauth.world.user();
  });
  afterAll(() => oauth.world.stop());

  const node = async (title: string, tags: string[] = []) =>
    (await person.post('/nodes', { title, node_type: 'note', tags })).body.id as string;
  const uriOf = (id: string) => `graph://node/${id}`;

  const listening = async (filter: SubscriptionFilter, terms: Record<string, unknown> = {}) => {
    const { id } = await oauth.app();
    const token = await oauth.connect(id, person, { parameters: { scope: 'graph:read' }, terms });
    const client = await modernAssistant({
      origin: oauth.origin,
      fetch: publicFetch(oauth),
      headers: { Authorization: `Bearer ${token.access_token}` },
    });
    const heard: string[] = [];
    client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void heard.push(params.uri),
    );
    client.setNotificationHandler('notifications/resources/list_changed', () => void heard.push('resources'));
    client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools'));
    const subscription = await client.listen(filter);
    let isClosed = false;
    void subscription.closed.then(() => (isClosed = true));
    return { client, heard, subscription, isClosed: () => isClosed, token };
  };

  it('tells of changes that the profile shows, and of no other', async () => {
    const [shown, hidden] = [await node('Swim', ['sport']), await node('Diary', ['private'])];
    const [tag] = (await person.get('/tags?search=private')).body.tags as [{ id: string }];
    const all = { tag_ids: [], allow_all: true };
    const profile = await person.post('/exposure-profiles', {
      name: `all but private ${oauth.world.number()}`,
      tag_permissions: { discover: all, read: all },
      excluded_tag_ids: [tag.id],
      schema_permissions: allSchemas,
    });
    const { heard, subscription } = await listening(
      { resourceSubscriptions: [uriOf(shown), uriOf(hidden)], resourcesListChanged: true },
      { exposure_profile_id: profile.body.id },
    );
    expect(subscription.honoredFilter.resourceSubscriptions).toEqual([uriOf(shown), uriOf(hidden)]);
    await person.patch(`/nodes/${hidden}`, { value: 'a secret' });
    await person.patch(`/nodes/${shown}`, { value: 'in July' });
    await until(() => heard.length > 0, 'a change');
    expect(heard).toEqual([uriOf(shown)]);
    await node('Another diary', ['private']);
    await node('Bake');
    await until(() => heard.includes('resources'), 'a new node');
    expect(heard).toEqual([uriOf(shown), 'resources']);
    await subscription.close();
  });

  it('ends with the access of its client, and says that its tools have changed', async () => {
    const { heard, isClosed, token } = await listening({ toolsListChanged: true });
    const { authorization } = (await oauth.with(token.access_token).get('/authorizations/current')).body;
    expect((await person.delete(`/authorizations/${authorization.id}`)).status).toBe(200);
    await until(isClosed, 'the end of the stream');
    expect(heard).toEqual(['tools']);
  });

  it('refuses the listener who may not read', async () => {
    await expect(listening({ toolsListChanged: true }, { scopes: ['graph:propose'] })).rejects.toThrow();
  });
});
