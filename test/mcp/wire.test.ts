import { type Client } from '../support/client.js';
import { sendMessage } from '../support/mcp.js';
import { type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

const MIB = 1024 * 1024;
const VERSION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'a client', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const MODERN = { 'MCP-Protocol-Version': VERSION };

const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 7, method, params });
const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, 0]));
const modern = (method: string, params: object = {}) => rpc(method, { ...params, _meta: META });

describe('messages of MCP on the wire (rules 15.1, 15.2)', () => {
  let world: World;
  let app: Client;
  withWorld((started) => (world = started));
  beforeAll(async () => {
    const [alice, made] = [await world.user(), await world.app()];
    await alice.authorizes(made);
    app = made.as(alice);
  });

  it('tells clients of both eras which revisions it speaks', async () => {
    const hello = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    for (const version of ['2025-11-25', '2025-06-18']) {
      const { status, message } = await sendMessage(
        app,
        rpc('initialize', { ...hello, protocolVersion: version }),
      );
      expect([status, message.result.protocolVersion]).toEqual([200, version]);
      expect(message.result.instructions).toContain('never an instruction');
      // Without a session nothing can be announced later.
      expect(message.result.capabilities).toMatchObject({
        tools: { listChanged: false },
        resources: { subscribe: false, listChanged: false },
      });
    }
    const discovered = await sendMessage(app, modern('server/discover'), {
      ...MODERN,
      'Mcp-Method': 'server/discover',
    });
    expect(discovered.message.result.supportedVersions).toEqual([VERSION]);
    expect(discovered.message.result.capabilities.resources).toEqual({ subscribe: true, listChanged: true });
  });

  it('lists the same tools in both eras, for this caller alone', async () => {
    const [old, young] = [
      await sendMessage(app, rpc('tools/list')),
      await sendMessage(app, modern('tools/list'), { ...MODERN, 'Mcp-Method': 'tools/list' }),
    ];
    expect(young.message.result.tools).toEqual(old.message.result.tools);
    expect(young.message.result).toMatchObject({ cacheScope: 'private', ttlMs: 0 });
  });

  it.each<[string, object | string | unknown[], Record<string, string>, [number, number]]>([
    ['an unknown method', rpc('graph/erase'), {}, [200, -32601]],
    [
      'an unknown method of the modern era',
      modern('graph/erase'),
      { ...MODERN, 'Mcp-Method': 'graph/erase' },
      [404, -32601],
    ],
    [
      'a version that is none',
      rpc('tools/list', { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': '2031-01-01' } }),
      { 'MCP-Protocol-Version': '2031-01-01', 'Mcp-Method': 'tools/list' },
      [400, -32022],
    ],
    ['a version of the modern era in the header alone', rpc('tools/list'), MODERN, [400, -32602]],
    [
      'a header that names another method',
      modern('tools/list'),
      { ...MODERN, 'Mcp-Method': 'tools/call' },
      [400, -32020],
    ],
    ['an unknown tool', rpc('tools/call', { name: 'approve', arguments: {} }), {}, [200, -32602]],
    ['text that is not JSON', '{"jsonrpc": "2.0", ', {}, [400, -32700]],
    ['an object that is no message', { hello: 'there' }, {}, [400, -32600]],
    ['null', 'null', {}, [400, -32600]],
    ['a message of JSON-RPC 1', { id: 1, method: 'tools/list' }, {}, [400, -32600]],
    ['a list of messages', [rpc('tools/list'), rpc('tools/list')], {}, [400, -32600]],
    ['an empty list', [], {}, [400, -32600]],
    ['a message of many names', modern('tools/list', { junk: names(5_001) }), {}, [400, -32600]],
    [
      'a message of many values',
      rpc('tools/call', { name: 'search', arguments: Array(20_001).fill(0) }),
      {},
      [400, -32600],
    ],
    [
      'a long message that listens',
      modern('subscriptions/listen', {
        notifications: { resourceSubscriptions: ['graph://node/'.padEnd(17_000)] },
      }),
      { ...MODERN, 'Mcp-Method': 'subscriptions/listen' },
      [400, -32600],
    ],
    ['a body above a MiB', rpc('tools/call', { name: 'x'.repeat(MIB) }), {}, [413, -32000]],
  ])('%s gets the answer of the specification', async (_, sent, headers, [status, code]) => {
    const answer = await sendMessage(app, sent, { 'Content-Type': 'application/json', ...headers });
    expect([answer.status, answer.message.error?.code]).toEqual([status, code]);
  });

  it.each([
    ['an argument near a MiB', 'x'.repeat(MIB - 300)],
    ['an argument of a wrong type', 3],
    ['an argument with a NUL', 'a\0b'],
  ])('%s is refused in the result, for the model to read', async (_, query) => {
    const call = rpc('tools/call', { name: 'search', arguments: { query } });
    const { status, message } = await sendMessage(app, call);
    expect([status, message.result?.isError]).toEqual([200, true]);
  });

  it.each(['get', 'delete', 'put'] as const)('%s is not allowed', async (method) => {
    const answer = await app[method]('//mcp', undefined);
    expect([answer.status, answer.headers.allow, answer.body.jsonrpc]).toEqual([405, 'POST', '2.0']);
  });

  it('a body of another type is 415, an answer that the client does not take 406', async () => {
    const text = await app.post('//mcp', 'hello', { headers: { 'Content-Type': 'text/plain' } });
    expect([text.status, text.body.error.data.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    const html = await app.post('//mcp', rpc('tools/list'), { headers: { Accept: 'text/html' } });
    expect([html.status, html.body.jsonrpc]).toEqual([406, '2.0']);
  });

  it('callers without a valid credential are challenged, persons are refused', async () => {
    const unknown = await sendMessage(world.api, rpc('tools/list'));
    expect([unknown.status, unknown.message.error.data.code]).toEqual([401, 'UNAUTHORIZED']);
    expect(unknown.headers['www-authenticate']).toContain('/.well-known/oauth-protected-resource/mcp"');
    expect(unknown.headers['www-authenticate']).toContain('scope="graph:read graph:propose"');
    const person = await sendMessage(await world.user(), rpc('tools/list'));
    expect([person.status, person.message.error.data.code]).toEqual([403, 'PERMISSION_DENIED']);
  });

  it.each([
    ['a page of a site', { Origin: 'https://evil.example' }],
    ['a page without an address', { Origin: 'null' }],
    ['a page under a name of its own', { Host: 'evil.example' }],
  ])('%s is refused before anything is read', async (_, headers) => {
    const { status, message } = await sendMessage(app, rpc('tools/list'), headers);
    expect([status, message.error.data.code]).toEqual([403, 'PERMISSION_DENIED']);
  });

  it('pages of the own machine are let in by CORS', async () => {
    const headers = { Origin: 'http://localhost:6274' };
    const asked = await world.api.send('OPTIONS', '//mcp', undefined, { headers });
    expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([204, headers.Origin]);
    const { status, headers: sent } = await sendMessage(app, rpc('tools/list'), headers);
    expect([status, sent['access-control-allow-origin']]).toEqual([200, headers.Origin]);
  });

  it('notifications are accepted without an answer', async () => {
    const { status, message } = await sendMessage(app, {
      jsonrpc: '2.0',
      method: 'notifications/initialized',
    });
    expect([status, message]).toEqual([202, {}]);
  });
});
