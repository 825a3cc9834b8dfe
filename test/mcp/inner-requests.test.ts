import { jest } from '@jest/globals';
import { InnerRequests } from '../../src/kernel/inner-requests.js';
import { TRUSTED_MS } from '../../src/kernel/request-rights.js';
import { callTool, sendMessage } from '../support/mcp.js';
import { type Client } from '../support/client.js';
import { type TestApp, type TestUser, World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

const KIB = 1024;
const ACCEPT = { Accept: 'application/json, text/event-stream' };
const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 7, method, params });
const call = (name: string, given: object) => rpc('tools/call', { name, arguments: given });

describe('requests of the service to itself (ADR 93)', () => {
  let world: World;
  let alice: TestUser;
  let made: TestApp;
  let app: Client;
  withWorld(
    (started) => (world = started),
    () => World.startHere({ RATE_LIMITS: 'on' }),
  );
  beforeEach(async () => {
    [alice, made] = [await world.user(), await world.app()];
    await alice.authorizes(made);
    app = made.as(alice);
  });
  const isServing = async () => expect((await app.get('/nodes?limit=1')).status).toBe(200);

  it.each([
    ['a filter of a tool', call('list_schemas', { ids: 'a'.repeat(20_000) })],
    ['the address of a resource', rpc('resources/read', { uri: `graph://tag/${'a'.repeat(20_000)}` })],
    ['a reason', call('remember', { title: 'x', reason: '😀'.repeat(1_000) })],
  ])(
    '%s that makes the head of a request too long is refused, and the process serves on',
    async (_, sent) => {
      const { status } = await sendMessage(app, sent, { 'User-Agent': 'x'.repeat(13_500) });
      expect(status).toBeLessThan(500);
      await isServing();
    },
  );

  it.each([64 * KIB + 1, 100_000])(
    'a node with a value of %i characters is remembered, and read as by REST',
    async (length) => {
      const value = '語'.repeat(length);
      const remembered = await callTool(app, 'remember', { title: 'Long', text: value });
      expect(remembered).toMatchObject({ structuredContent: { outcome: 'saved' } });
      const { id } = remembered.structuredContent.node as { id: string };
      const [byTool, byRest] = [await callTool(app, 'fetch', { id }), await app.get(`/nodes/${id}`)];
      expect(byTool.structuredContent.text).toBe(byRest.body.value);
      expect(byRest.body.value).toBe(value);
    },
  );

  it('the answer to a committed write is given whatever has changed since', async () => {
    const inner = world.nest.get(InnerRequests);
    const send = inner.send.bind(inner);
    const { authorization } = (await app.get('/authorizations/current')).body;
    const late = jest.spyOn(inner, 'send').mockImplementation(async (...given) => {
      const answer = await send(...given);
      expect((await alice.delete(`/authorizations/${authorization.id}`)).status).toBe(200);
      const now = performance.now.bind(performance);
      jest.spyOn(performance, 'now').mockImplementation(() => now() + 2 * TRUSTED_MS);
      return answer;
    });
    try {
      expect(await callTool(app, 'remember', { title: 'A' })).toMatchObject({
        structuredContent: { outcome: 'saved' },
      });
      expect(late).toHaveBeenCalledTimes(1);
    } finally {
      jest.restoreAllMocks();
    }
    expect((await sendMessage(app, call('search', { query: 'A' }))).status).toBe(403);
  });

  it('control characters in the reason of a change are blanks in its history', async () => {
    const remembered = await callTool(app, 'remember', { title: 'A', reason: 'a\u0001b\u007fc\nd' });
    const { id } = remembered.structuredContent.node as { id: string };
    const { body } = await alice.get(`/nodes/${id}/history`);
    expect(body.history[0].change_reason).toBe('a b c d');
  });

  it('calls count by their tools and outcomes, those with faults of arguments among them', async () => {
    const { id } = (await alice.post('/nodes', { title: 'A', node_type: 'note' })).body as { id: string };
    const counted = async (): Promise<number[]> => {
      const { text } = await world.api.get('//metrics');
      return ['answered', 'refused', 'invalid', 'failed'].map((outcome) => {
        const line = `mcp_tool_calls_total{tool="neighborhood",outcome="${outcome}"} `;
        const found = text.split('\n').find((one) => one.startsWith(line));
        return Number(found?.slice(line.length) ?? 0);
      });
    };
    const before = await counted();
    for (const one of [id, made.id, 'no id']) await callTool(app, 'neighborhood', { id: one });
    const after = await counted();
    expect(after.map((count, at) => count - (before[at] as number))).toEqual([1, 1, 1, 0]);
  });

  it('calls of tools that do not exist count under one name, never the caller’s', async () => {
    const counted = async (): Promise<number> => {
      const { text } = await world.api.get('//metrics');
      return Number(/^mcp_tool_calls_total\{tool="unknown",outcome="invalid"\} (\d+)$/m.exec(text)?.[1] ?? 0);
    };
    const before = await counted();
    for (const name of ['erase_all', 'x'.repeat(200)]) {
      const { message } = await sendMessage(app, call(name, {}));
      expect(message.error.code).toBe(-32602);
    }
    expect((await counted()) - before).toBe(2);
    expect((await world.api.get('//metrics')).text).not.toContain('erase_all');
  });

  it('an id of a message that every announcement would repeat is refused where it is long', async () => {
    const { status, message } = await sendMessage(app, { ...rpc('ping'), id: 'x'.repeat(201) });
    expect([status, message.error.code]).toEqual([400, -32600]);
  });

  it('a slash at the end of the address changes no check of a message', async () => {
    const send = (headers: object) => app.post('//mcp/', rpc('ping'), { headers: { ...ACCEPT, ...headers } });
    for (const headers of [{ Host: 'evil.example' }, { Origin: 'http://evil.example' }])
      expect((await send(headers)).status).toBe(403);
    const left = async () => Number((await send({})).headers['x-ratelimit-remaining']);
    expect(await left()).toBe((await left()) + 1);
  });
});
