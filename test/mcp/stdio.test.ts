import { type SubscriptionFilter } from '@modelcontextprotocol/client';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { type Assistant, CLIENT } from '../support/mcp.js';
import { type Server, Workshop } from '../support/server.js';
import { type Door, doorCommand, isRunning, legacy, modern, openDoors } from '../support/stdio-doors.js';
import { until } from '../support/until.js';

const workshop = new Workshop();
afterAll(() => workshop.clear());

/** Runs the command with this input. @returns its output and exit code */
async function run({ args, env }: Door, input = '') {
  const { command, args: all, env: environment } = doorCommand({ args, env });
  const child = spawn(command, all, { env: environment });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { out, errors, code: await ended };
}

describe('npm run cli -- mcp', () => {
  let server: Server;
  let remote: Door;
  let embedded: Door;
  beforeAll(async () => {
    ({ server, remote, embedded } = await openDoors(workshop));
  });

  describe.each([
    ['a running service', () => remote],
    ['the database of this machine', () => embedded],
  ])('an assistant of %s', (_, door) => {
    it.each([
      ['@modelcontextprotocol/client 2', modern],
      ['@modelcontextprotocol/sdk 1', legacy],
    ])('lets %s search, read and remember, and ends with it', async (name, connect) => {
      const { client, pid } = await connect(door());
      const assistant = client as unknown as Assistant;
      const { tools } = await assistant.listTools();
      expect(tools.map(({ name: tool }) => tool)).toEqual(
        expect.arrayContaining(['search', 'remember', 'propose_change']),
      );
      const found = await assistant.callTool({ name: 'search', arguments: { query: 'spring concert' } });
      const [{ id, url }] = found.structuredContent.results as [{ id: string; url: string }];
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/notes\//);
      const read = await assistant.callTool({ name: 'fetch', arguments: { id } });
      expect(read.structuredContent.text).toContain('Three encores');
      expect(JSON.parse(read.content[0]?.text as string)).toEqual(read.structuredContent);
      const diary = await assistant.callTool({ name: 'search', arguments: { query: 'Could not sleep' } });
      expect(diary.structuredContent.results).toEqual([]);
      const note = { title: `Ünïcode of ${name}`, reason: 'Größe – ja' };
      const saved = await assistant.callTool({ name: 'remember', arguments: note });
      expect(saved.structuredContent).toMatchObject({ outcome: 'saved', node: { title: note.title } });
      const versions = await assistant.callTool({
        name: 'node_history',
        arguments: { id: saved.structuredContent.node.id },
      });
      expect(versions.structuredContent.history[0]).toMatchObject({ change_reason: note.reason });
      const { resources } = await assistant.listResources();
      expect(resources.map(({ uri }) => uri)).toContain(`graph://node/${id}`);
      await assistant.close();
      await until(() => !isRunning(pid), 'the end of the process');
    });

    it('writes one message a line and nothing else, and answers all of them before it ends', async () => {
      const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT };
      const init = { jsonrpc: '2.0', id: 1, method: 'initialize', params: hello };
      const { command, args, env } = doorCommand({
        ...door(),
        env: { ...door().env, LOG_LEVEL: 'debug' },
      });
      const child = spawn(command, args, { env });
      const ended = new Promise<number | null>((done) => child.once('close', done));
      let out = '';
      child.stdout.setEncoding('utf8').on('data', (part: string) => (out += part));
      child.stdin.write(`${JSON.stringify(init)}\n`);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })}\n`);
      child.stdin.end();
      expect(await ended).toBe(0);
      const lines = out.trimEnd().split('\n');
      expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([1, 2]);
    });

    it.each([
      ['no JSON', 'no json', -32700],
      ['half of a message', '{"jsonrpc":"2.0","id":3,', -32700],
      ['an object that is no message', '{"id":3,"method":"tools/list"}', -32600],
      ['a list of messages', '[{"jsonrpc":"2.0","id":3,"method":"tools/list"}]', -32600],
      ['a number', '3', -32600],
    ])(
      'answers a line that is %s with an error of JSON-RPC, and reads the next one',
      async (_, line, code) => {
        const next = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
        const { out, errors, code: ended } = await run(door(), `${line}\n\n${next}\n`);
        const answers = out
          .trimEnd()
          .split('\n')
          .map((answer) => JSON.parse(answer) as { id: number | null; error?: { code: number } });
        expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
          [null, code],
          [2, undefined],
        ]);
        expect([errors, ended]).toEqual(['', 0]);
      },
    );

    it.each([
      [{ PIG_KEY: '' }, /^error: set PIG_TOKEN to an access token, or PIG_KEY .*\n$/],
      [{ PIG_TOKEN: 'pig_at_x' }, /^error: set PIG_TOKEN or PIG_KEY, not both\n$/],
      [{ PIG_KEY: 'pig_live_wrong' }, /^error: the service refuses the credential: .*\n$/],
      [{ PIG_KEY: '', PIG_TOKEN: 'pig_at_x' }, /^error: the service refuses the credential: .*\n$/],
      [{ PIG_USER_ID: '' }, /^error: the service refuses the credential: .*\n$/],
    ])('ends with one line for the credential %j', async (wrong, line) => {
      const { out, errors, code } = await run({ args: door().args, env: { ...door().env, ...wrong } });
      expect([out, code]).toEqual(['', 1]);
      expect(errors).toMatch(line);
      for (const secret of Object.values(wrong).filter((one) => one !== ''))
        expect(errors).not.toContain(secret);
    });

    it('announces changes to those who listen by 2026-07-28', async () => {
      const { client } = await modern(door());
      const assistant = client as unknown as Assistant;
      const { structuredContent } = await assistant.callTool({
        name: 'remember',
        arguments: { title: 'To follow' },
      });
      const { id } = structuredContent.node as { id: string };
      const heard: string[] = [];
      client.setNotificationHandler(
        'notifications/resources/updated',
        ({ params }) => void heard.push(params.uri),
      );
      client.setNotificationHandler(
        'notifications/resources/list_changed',
        () => void heard.push('resources'),
      );
      const filter: SubscriptionFilter = {
        resourceSubscriptions: [`graph://node/${id}`],
        resourcesListChanged: true,
      };
      const subscription = await client.listen(filter);
      expect(subscription.honoredFilter).toEqual(filter);
      await assistant.callTool({ name: 'update_node', arguments: { id, text: 'Followed' } });
      await until(() => heard.length > 0, 'a change');
      await assistant.callTool({ name: 'remember', arguments: { title: 'Another one' } });
      await until(() => heard.includes('resources'), 'a new node');
      expect(heard).toEqual([`graph://node/${id}`, 'resources']);
      await client.close();
    });

    it('announces changes to those who subscribed by initialize', async () => {
      const { client } = await legacy(door());
      const assistant = client as unknown as Assistant;
      const make = async (title: string) =>
        (await assistant.callTool({ name: 'remember', arguments: { title } })).structuredContent.node
          .id as string;
      const [followed, other] = [await make('To subscribe to'), await make('Without a subscriber')];
      const heard: string[] = [];
      client.setNotificationHandler(
        ResourceUpdatedNotificationSchema,
        ({ params }) => void heard.push(params.uri),
      );
      await client.subscribeResource({ uri: `graph://node/${followed}` });
      for (const id of [other, followed])
        await assistant.callTool({ name: 'update_node', arguments: { id, text: 'Changed' } });
      await until(() => heard.length > 0, 'a change');
      expect(heard).toEqual([`graph://node/${followed}`]);
      await client.close();
    });
  });

  it.each([
    ['http://graph.example.org', /^error: --url needs an https address .*\n$/],
    ['https://graph.example.org/path', /^error: --url needs an https address .*\n$/],
    ['graph.example.org', /^error: --url needs an https address .*\n$/],
    ['http://127.0.0.1:9', /^error: http:\/\/127\.0\.0\.1:9 cannot be reached\n$/],
  ])('ends with one line for the address %s', async (address, line) => {
    const { out, errors, code } = await run({ args: ['--url', address], env: remote.env });
    expect([out, code]).toEqual(['', 1]);
    expect(errors).toMatch(line);
  });

  it('answers after the access has ended with one sentence', async () => {
    const { client } = await legacy(remote);
    const { client: listener } = await modern(remote);
    // This client sends nothing while it connects.
    await listener.listTools();
    const assistant = client as unknown as Assistant;
    const app = server.client({
      'X-API-Key': remote.env['PIG_KEY'] as string,
      'X-User-ID': remote.env['PIG_USER_ID'] as string,
    });
    expect((await app.delete('/authorizations/current')).status).toBeLessThan(300);
    const { isError, content } = await assistant.callTool({ name: 'search', arguments: { query: 'x' } });
    expect([isError, content[0]?.text]).toEqual([true, expect.stringMatching(/ask the person/i)]);
    await expect(listener.listen({ toolsListChanged: true })).rejects.toThrow(/ask the person/i);
    await client.close();
    await listener.close();
  });
});
