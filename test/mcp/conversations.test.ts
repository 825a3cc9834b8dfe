import { type Assistant, legacyAssistant, modernAssistant, type ToolResult } from '../support/mcp.js';
import { type Client } from '../support/client.js';
import { Workshop } from '../support/server.js';

const workshop = new Workshop();
afterAll(() => workshop.clear());

/** An assistant without a model: it says what a model would say, and takes from each answer what the next call needs. */
interface Scripted extends Assistant {
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  getPrompt(of: { name: string; arguments?: Record<string, string> }): Promise<{
    messages: { content: { text?: string } }[];
  }>;
}

describe.each([
  ['2026-07-28', modernAssistant],
  ['initialize', legacyAssistant],
])('ten conversations of an assistant with the demo user, by %s', (_, connect) => {
  let assistant: Scripted;
  let person: Client;
  let origin: string;
  beforeAll(async () => {
    const server = await workshop.serve({ DATA_DIR: workshop.folder(), DATABASE_URL: '' });
    ({ origin } = server);
    const [, password] = await server.printed(/password (\S+)\) and/);
    const [, key, user] = await server.printed(/ {2}KEY=(\S+)\n {2}USER_ID=(\S+)\n/);
    person = await server.logIn({ email: 'demo@example.org', password: password as string });
    const headers = { 'X-API-Key': key as string, 'X-User-ID': user as string };
    assistant = (await connect({ origin, fetch, headers })) as unknown as Scripted;
  });
  afterAll(() => assistant.close());

  const refused = (name: string, given: Record<string, unknown> = {}): Promise<ToolResult> =>
    assistant.callTool({ name, arguments: given });
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    const { isError, content, structuredContent } = await assistant.callTool({ name, arguments: given });
    if (isError) throw new Error(`${name}: ${content[0]?.text}`);
    expect(JSON.parse(content[0]?.text as string)).toEqual(structuredContent);
    return structuredContent;
  };
  const titles = (found: { results: { title: string }[] }) => found.results.map(({ title }) => title);
  const firstId = async (query: string): Promise<string> =>
    (await call('search', { query })).results[0].id as string;
  const decide = async (id: string, decision: 'approve' | 'reject') => {
    const terms = decision === 'approve' ? { expected_revision: 1, apply: true } : { reason: 'Not now' };
    const { status, text } = await person.post(`/proposals/${id}/${decision}`, terms);
    expect([status, text]).toEqual([200, expect.anything()]);
  };
  const stateOf = async (id: string) =>
    (await call('list_proposals')).proposals.find((one: { id: string }) => one.id === id).status as string;

  it('remembers: “My neighbour Noor is allergic to nuts.”', async () => {
    expect(titles(await call('search', { query: 'Noor nuts' }))).toEqual([]);
    const note = { title: 'Noor is allergic to nuts', text: 'The neighbour', tags: ['cooking'] };
    expect(await call('remember', { ...note, reason: 'They said so' })).toMatchObject({ outcome: 'saved' });
    expect(titles(await call('search', { query: 'Noor nuts' }))).toEqual([note.title]);
    expect(await call('remember', note)).toMatchObject({ outcome: 'known already' });
  });

  it('corrects: “No, it was two encores.”', async () => {
    const id = await firstId('encores');
    const { metadata, text } = await call('fetch', { id });
    const change = { text: text.replace('Three', 'Two'), version: metadata.version, reason: 'They counted' };
    await call('update_node', { id, ...change });
    expect((await call('fetch', { id })).text).toMatch(/^Two encores/);
    const { history } = await call('node_history', { id, limit: 1 });
    expect(history[0]).toMatchObject({ change_reason: 'They counted' });
    const again = await refused('update_node', { id, ...change });
    expect(again.isError).toBe(true);
  });

  it('asks: “What do you know about the choir?”', async () => {
    const asked = { name: 'what_do_you_know', arguments: { topic: 'the spring concert' } };
    const { messages } = await assistant.getPrompt(asked);
    expect(messages[0]?.content.text).toContain('the spring concert');
    const { results } = await call('search', { query: 'the spring concert' });
    expect(results[0]).toMatchObject({ title: 'Sang the alto part of the spring concert' });
    const { text, url } = await call('fetch', { id: results[0].id });
    expect(text).toContain('second sopranos');
    const page = await fetch(new URL(new URL(url as string).pathname, origin));
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const named = (url as string).split('/').at(-1);
    expect((await person.get(`/nodes/${named}`)).body.title).toBe(results[0].title);
  });

  it('suggests: “I may want to learn the cello.”', async () => {
    const create = [{ title: 'Learn the cello', node_type: 'GOAL', tags: ['music'] }];
    const { outcome, proposal } = await call('propose_change', { title: 'A goal', reason: 'Unsure', create });
    expect([outcome, await stateOf(proposal.id)]).toEqual(['suggested', 'READY_FOR_APPROVAL']);
    expect(titles(await call('search', { query: 'cello' }))).toEqual([]);
    await decide(proposal.id as string, 'reject');
    expect(await stateOf(proposal.id as string)).toBe('REJECTED');
  });

  it('meets a refusal: “Delete that, and read my diary.”', async () => {
    const { exposure_profiles: profiles } = (await person.get('/exposure-profiles')).body;
    const { id } = profiles.find(({ name }: { name: string }) => name === 'All but private');
    const { tag_permissions: all } = (await person.get(`/exposure-profiles/${id}`)).body;
    const narrowed = { tag_permissions: { ...all, delete: {} } };
    expect((await person.put(`/exposure-profiles/${id}`, narrowed)).status).toBe(200);
    const { tools } = await assistant.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('delete_node');
    const { isError, content } = await refused('delete_node', { id: await firstId('loaf') });
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining('/console/apps/')]);
    expect(titles(await call('search', { query: 'Could not sleep' }))).toEqual([]);
    const diary = (await person.get('/nodes?search=Could%20not%20sleep')).body.nodes[0].id as string;
    const absent = await refused('fetch', { id: '00000000-0000-4000-8000-000000000000' });
    expect(await refused('fetch', { id: diary })).toEqual(absent);
    expect((await call('my_access')).effective_permissions.tags).toMatchObject({ read: true, delete: false });
  });

  it('waits for approval: “Suggest that I swim across the bay.”', async () => {
    const create = [{ title: 'Swim across the bay', node_type: 'GOAL', tags: ['sport'] }];
    const { proposal } = await call('propose_change', { title: 'A goal', reason: 'As asked', create });
    await decide(proposal.id as string, 'approve');
    expect(await stateOf(proposal.id as string)).toBe('APPLIED');
    expect(titles(await call('search', { query: 'swim' }))).toEqual(['Swim across the bay']);
  });

  it('forgets: “You can forget about the walk.”', async () => {
    const id = await firstId('a walk');
    const forgetting = { title: 'Forget the walk', reason: 'They asked', delete: [id] };
    const { proposal } = await call('propose_change', forgetting);
    expect((await call('fetch', { id })).title).toContain('walk');
    await decide(proposal.id as string, 'approve');
    expect((await refused('fetch', { id })).isError).toBe(true);
  });

  it('links: “Noor is why I bake.”', async () => {
    const [noor, loaf] = [await firstId('Noor'), await firstId('loaf')];
    await call('link_nodes', { from_id: loaf, to_id: noor, type: 'because of' });
    const { nodes, relationships } = await call('neighborhood', { id: noor });
    expect(nodes.map(({ id }: { id: string }) => id).sort()).toEqual([noor, loaf].sort());
    expect(relationships[0]).toMatchObject({ from_node_id: loaf, to_node_id: noor });
  });

  it('looks around: “Who am I?”', async () => {
    const { resources } = await assistant.listResources();
    const self = resources.find(({ name }) => name === 'Robin Vale');
    const { contents } = await assistant.readResource({ uri: self?.uri as string });
    const { id, tags } = JSON.parse(contents[0]?.text as string) as { id: string; tags: unknown[] };
    expect(tags).not.toHaveLength(0);
    const { nodes } = await call('neighborhood', { id, depth: 2 });
    const seen = nodes.map(({ title }: { title: string }) => title) as string[];
    expect(seen).toContain('Sang the alto part of the spring concert');
    expect(seen).not.toContain('Could not sleep, again');
    const { tags: all } = await call('list_tags');
    expect(all.map(({ name }: { name: string }) => name)).toContain('music');
  });

  it('reviews goals: “Let us go through my goals.”', async () => {
    expect((await assistant.listPrompts()).prompts.map(({ name }) => name)).toContain('review_goals');
    await assistant.getPrompt({ name: 'review_goals' });
    const { nodes } = await call('list_nodes', { node_type: 'GOAL', sort: 'title', order: 'asc' });
    const goals = nodes.map(({ title }: { title: string }) => title);
    expect(goals).toEqual(['Bake a loaf that deserves its crust', 'Swim across the bay']);
    for (const { id } of nodes as { id: string }[])
      expect((await call('node_history', { id })).total).toBeGreaterThan(0);
    const { metadata } = await call('fetch', { id: nodes[0].id });
    const update = [{ id: nodes[0].id, properties: { ...metadata.metadata.properties, status: 'achieved' } }];
    const { proposal } = await call('propose_change', { title: 'Done', reason: 'It has a crust', update });
    await decide(proposal.id as string, 'approve');
    const { metadata: after } = await call('fetch', { id: nodes[0].id });
    expect(after.metadata.properties).toMatchObject({ status: 'achieved', time_horizon: 'short_term' });
  });
});
