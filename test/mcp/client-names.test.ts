import { type Client } from '../support/client.js';
import { sendMessage } from '../support/mcp.js';
import { type TestUser, type World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('names of clients in what they write (rule 15.8)', () => {
  let world: World;
  let alice: TestUser;
  let client: Client;
  withAlice((met) => ({ world, alice } = met));
  beforeEach(async () => {
    client = await alice.lets(await world.app());
  });

  it.each([
    ['NUL', 'a\0client', 'a client'],
    ['a surrogate pair at the cut', `${'x'.repeat(199)}😀`, 'x'.repeat(199)],
    ['a lone surrogate', 'a\ud83d', 'a\ufffd'],
    ['control characters and spaces', ' a\n\tclient ', 'a client'],
    ['nothing else', '\0\n', null],
  ])('a client whose name has %s writes all the same', async (_, name, shown) => {
    const clientInfo = { name, version: `${'1'.repeat(99)}😀\0` };
    const _meta = { ...META, 'io.modelcontextprotocol/clientInfo': clientInfo };
    const params = { name: 'remember', arguments: { title: 'x', reason: 'y' }, _meta };
    const { message } = await sendMessage(
      client,
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'remember' },
    );
    expect(message.result).toMatchObject({ structuredContent: { outcome: 'saved' } });
    const { id } = message.result.structuredContent.node as { id: string };
    const { history } = (await alice.get(`/nodes/${id}/history`)).body;
    expect(history[0].agent_metadata?.agent_name ?? null).toBe(shown);
  });
});
