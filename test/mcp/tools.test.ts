import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publicFetch } from '../oauth/public-fetch.js';
import { allSchemas } from '../support/defaults.js';
import { type Assistant, CLIENT, legacyAssistant, modernAssistant } from '../support/mcp.js';
import { OAuthWorld } from '../support/oauth.js';
import { type TestUser } from '../support/world.js';

const READING = [
  'search',
  'fetch',
  'list_nodes',
  'neighborhood',
  'list_tags',
  'list_schemas',
  'node_history',
  'my_access',
];

describe.each([
  ['@modelcontextprotocol/client 2 (2026-07-28)', modernAssistant],
  ['@modelcontextprotocol/sdk 1 (initialize)', legacyAssistant],
])('tools of MCP through %s (rules 15)', (_, connect) => {
  let oauth: OAuthWorld;
  let person: TestUser;
  let privateTag: string;
  let ids: { swim: string; bake: string; diary: string };
  const open: { close(): Promise<void> }[] = [];
  beforeAll(async () => {
    oauth = await OAuthWorld.start();
    person = await oauth.world.user();
    const make = async (title: string, value: string, tags: string[]) =>
      (await person.post('/nodes', { title, value, node_type: 'note', tags })).body.id as string;
    ids = {
      swim: await make('Swim across the bay', 'In July, with Noor', ['sport']),
      bake: await make('Bake bread', 'A loaf with a crust', ['kitchen']),
      diary: await make('A secret bay', 'Nobody knows', ['private']),
    };
    const tags = await person.get('/tags?search=private');
    privateTag = tags.body.tags[0].id as string;
  });
  afterAll(async () => {
    for (const client of open) await client.close();
    await oauth.world.stop();
  });

  /** An assistant of a new app, allowed these scopes, whose profile hides the tag `private`. */
  const assistant = async (scope: string): Promise<Assistant> => {
    const { id } = await oauth.app();
    const all = { tag_ids: [], allow_all: true };
    const made = await person.post('/exposure-profiles', {
      name: `all but private ${oauth.world.number()}`,
      tag_permissions: {
        discover: all,
        read: all,
        propose: all,
        create: all,
        edit: all,
        delete: all,
      },
      excluded_tag_ids: [privateTag],
      schema_permissions: allSchemas,
    });
    const token = await oauth.connect(id, person, {
      parameters: { scope },
      terms: { exposure_profile_id: made.body.id, scopes: scope.split(' ') },
    });
    const client = await connect({
      origin: oauth.origin,
      fetch: publicFetch(oauth),
      headers: { Authorization: `Bearer ${token.access_token}`, 'User-Agent': 'notes-assistant/2.0.1 (cli)' },
    });
    open.push(client);
    return client as unknown as Assistant;
  };

  it('lists the tools that the granted scopes allow, and no other', async () => {
    const reader = await assistant('graph:read');
    expect((await reader.listTools()).tools.map(({ name }) => name)).toEqual(READING);
  });

  it('finds, reads and refuses like the API', async () => {
    const reader = await assistant('graph:read');
    const found = await reader.callTool({ name: 'search', arguments: { query: 'the bay' } });
    expect(found.structuredContent.results.map(({ id }: { id: string }) => id)).toEqual([ids.swim]);
    const read = await reader.callTool({ name: 'fetch', arguments: { id: ids.swim } });
    expect(read.structuredContent).toMatchObject({
      title: 'Swim across the bay',
      text: 'In July, with Noor',
    });
    const hidden = await reader.callTool({ name: 'fetch', arguments: { id: ids.diary } });
    const absent = await reader.callTool({
      name: 'fetch',
      arguments: { id: '00000000-0000-4000-8000-000000000000' },
    });
    expect(hidden).toEqual(absent);
    expect(hidden).toMatchObject({ isError: true });
    const remembered = await reader.callTool({ name: 'remember', arguments: { title: 'x' } });
    expect(remembered).toMatchObject({ isError: true });
    expect(remembered.content[0]?.text).toContain(`${oauth.origin}/console/apps/`);
  });

  it('reads a note of 100,000 characters whole', async () => {
    const reader = await assistant('graph:read');
    const value = 'x'.repeat(100_000);
    const { id } = (await person.post('/nodes', { title: 'Long', value, node_type: 'note' })).body;
    const read = await reader.callTool({ name: 'fetch', arguments: { id } });
    expect(read.structuredContent).toMatchObject({ title: 'Long', text: value });
  });

  it('remembers where the person granted it, and suggests otherwise', async () => {
    const writer = await assistant('graph:read graph:create graph:propose');
    const suggester = await assistant('graph:read graph:propose');
    const note = { title: 'Likes rye', text: 'More than wheat', tags: ['kitchen'], reason: 'They said so' };
    const saved = await writer.callTool({ name: 'remember', arguments: note });
    expect(saved.structuredContent).toMatchObject({ outcome: 'saved', node: { title: 'Likes rye' } });
    const again = await writer.callTool({ name: 'remember', arguments: note });
    expect(again.structuredContent).toMatchObject({ outcome: 'known already' });
    const other = { ...note, title: 'Likes spelt' };
    const suggested = await suggester.callTool({ name: 'remember', arguments: other });
    expect(suggested.structuredContent).toMatchObject({ outcome: 'suggested' });
    const { id } = suggested.structuredContent.proposal as { id: string };
    expect(suggested.structuredContent.review_at).toBe(`${oauth.origin}/console/proposals/${id}`);
    const approved = await person.post(`/proposals/${id}/approve`, { expected_revision: 1, apply: true });
    expect(approved.body.status).toBe('APPLIED');
    const history = await person.get(`/nodes/${saved.structuredContent.node.id}/history`);
    expect(history.body.history[0]).toMatchObject({ change_reason: 'They said so' });
    // The older era has no session, so a call names its client by its connection alone.
    const { name, version } =
      connect === (modernAssistant as unknown) ? CLIENT : { name: 'notes-assistant', version: '2.0.1' };
    expect(history.body.history[0].agent_metadata).toMatchObject({
      agent_name: name,
      agent_version: version,
      via: 'mcp',
    });
  });

  it('changes, connects and deletes with the scopes for it', async () => {
    const editor = await assistant('graph:read graph:create graph:edit graph:delete');
    const call = async (name: string, given: Record<string, unknown>) => {
      const answer = await editor.callTool({ name, arguments: given });
      expect([name, answer.isError, answer.content]).toEqual([name, undefined, expect.anything()]);
      return answer.structuredContent;
    };
    const { node } = await call('remember', { title: 'To change' });
    const changed = await call('update_node', {
      id: node.id,
      text: 'Changed',
      version: 1,
      reason: 'Ünïcode – yes',
    });
    expect(changed.node).toMatchObject({ value: 'Changed', version: 2 });
    const stale = await editor.callTool({
      name: 'update_node',
      arguments: { id: node.id, text: 'x', version: 1 },
    });
    expect(stale.isError).toBe(true);
    await call('link_nodes', { from_id: node.id, to_id: ids.bake, type: 'about' });
    const around = await call('neighborhood', { id: node.id });
    expect(around.nodes).toHaveLength(2);
    expect((await call('node_history', { id: node.id })).history[0].change_reason).toBe('Ünïcode – yes');
    expect(await call('delete_node', { id: node.id })).toEqual({ deleted: node.id });
    expect((await person.get(`/nodes/${node.id}`)).status).toBe(404);
  });

  it('suggests several changes as one proposal', async () => {
    const suggester = await assistant('graph:read graph:propose');
    const { structuredContent, content } = await suggester.callTool({
      name: 'propose_change',
      arguments: {
        title: 'Tidy up',
        reason: 'Asked to',
        create: [{ title: 'A new note', tags: ['kitchen'] }],
        update: [{ id: ids.bake, text: 'With rye' }],
        link: [{ from_id: ids.bake, to_id: ids.swim, type: 'after' }],
      },
    });
    expect([content, structuredContent]).toEqual([
      expect.anything(),
      expect.objectContaining({ outcome: 'suggested' }),
    ]);
    expect(structuredContent.proposal.actions).toHaveLength(3);
    const listed = await suggester.callTool({ name: 'list_proposals' });
    expect(listed.structuredContent.total).toBe(1);
  });

  it('refuses a suggestion that changes nothing in a sentence about its arguments', async () => {
    const suggester = await assistant('graph:read graph:propose');
    const given = { title: 'Nothing', reason: 'None', create: [] };
    const { isError, content } = await suggester.callTool({ name: 'propose_change', arguments: given });
    expect([isError, content[0]?.text]).toEqual([
      true,
      'The suggestion changes nothing: give at least one of create, update, delete and link.',
    ]);
  });

  it('names the fault of arguments, and refuses unknown tools by the protocol', async () => {
    const reader = await assistant('graph:read');
    const wrong = await reader.callTool({ name: 'search', arguments: { query: 3, more: true } });
    expect(wrong.isError).toBe(true);
    expect(wrong.content[0]?.text).toContain('query must be string');
    const ids = 'x'.repeat(20_000);
    const long = await reader.callTool({ name: 'list_schemas', arguments: { ids } });
    expect(long.isError).toBe(true);
    expect(long.content[0]?.text).toContain('ids must NOT have more than 2000 characters');
    await expect(reader.callTool({ name: 'approve', arguments: {} })).rejects.toThrow('no tool');
  });

  it('reads resources as the API shows them', async () => {
    const reader = await assistant('graph:read');
    const { resources } = await reader.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(
      expect.arrayContaining(['graph://profile', `graph://node/${ids.bake}`]),
    );
    expect(JSON.stringify(resources)).not.toContain('secret');
    const { contents } = await reader.readResource({ uri: `graph://node/${ids.swim}` });
    expect(JSON.parse(contents[0]?.text as string)).toMatchObject({ id: ids.swim });
    await expect(reader.readResource({ uri: `graph://node/${ids.diary}` })).rejects.toThrow();
  });
});
