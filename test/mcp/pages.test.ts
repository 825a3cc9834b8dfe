import { type Client } from '../support/client.js';
import { callTool } from '../support/mcp.js';
import { type TestUser, type World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';

/** Characters of JSON that a list may add to a model's context, with room for its frame. */
const MOST = 90_000;

describe('pages of tools within a model’s context (rule 15.3e)', () => {
  let world: World;
  let alice: TestUser;
  let client: Client;
  withAlice((met) => ({ world, alice } = met));
  beforeEach(async () => {
    client = await alice.lets(await world.app());
  });

  const call = async (name: string, given: object) => {
    const { isError, content, structuredContent } = await callTool(client, name, given);
    if (isError) throw new Error(`${name}: ${content[0]?.text}`);
    expect(JSON.stringify(structuredContent).length).toBeLessThan(MOST);
    return structuredContent;
  };

  it('suggestions with large contents come in pages, of which none is lost', async () => {
    const text = 'x'.repeat(20_000);
    for (let number = 0; number < 6; number++)
      await call('propose_change', { title: `${number}`, reason: 'Long', create: [{ title: 'a', text }] });
    const seen: string[] = [];
    for (let more = true; more;) {
      const page = await call('list_proposals', { limit: 50, offset: seen.length });
      expect(page).toMatchObject({ total: 6, limit: page.truncated ? page.proposals.length : 50 });
      expect(page.truncated === true).toBe(seen.length === 0);
      seen.push(...page.proposals.map(({ title }: { title: string }) => title));
      more = page.truncated === true;
    }
    expect(seen).toEqual(['5', '4', '3', '2', '1', '0']);
  });

  it('an item above the bound names the fields that it leaves out', async () => {
    const text = 'x'.repeat(90_000);
    await client.post('/proposals', {
      title: 'large',
      description: 'Long',
      type: 'CREATE_NODE',
      actions: [{ type: 'CREATE_NODE', payload: { title: 'a', node_type: 'note', value: text } }],
      status: 'READY_FOR_APPROVAL',
    });
    const { proposals, truncated } = await call('list_proposals', {});
    expect(truncated).toBeUndefined();
    expect(proposals).toMatchObject([
      { title: 'large', status: 'READY_FOR_APPROVAL', left_out: ['actions'] },
    ]);
  });

  it('schemas and versions of nodes come in pages within the bound', async () => {
    const described = { type: 'string', description: 'x'.repeat(1000) };
    const properties = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`field ${at}`, described]));
    for (let number = 0; number < 3; number++) {
      const made = await alice.post('/schemas', {
        name: `Large ${number} of ${alice.id}`,
        scope: 'private',
        private_to: 'user',
        json_schema: { type: 'object', properties },
      });
      if (made.status !== 201) throw new Error(made.text);
    }
    const schemas = await call('list_schemas', { include_json_schema: true, search: alice.id });
    expect(schemas).toMatchObject({ total: 3, truncated: true });
    const { id } = (await alice.post('/nodes', { title: 'a', node_type: 'note', value: '' })).body;
    for (const letter of 'abc') await alice.patch(`/nodes/${id}`, { value: letter.repeat(30_000) });
    const history = await call('node_history', { id });
    expect(history).toMatchObject({ total: 4, truncated: true });
    expect(history.limit).toBe(history.history.length);
    const { relationships } = await call('neighborhood', { id });
    expect(relationships).toEqual([]);
  });
});
