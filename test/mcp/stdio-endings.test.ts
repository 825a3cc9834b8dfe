import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { type Assistant, CLIENT } from '../support/mcp.js';
import { type Server, Workshop } from '../support/server.js';
import { type Door, doorCommand, isRunning, legacy, modern, openDoors } from '../support/stdio-doors.js';
import { until } from '../support/until.js';

const workshop = new Workshop();
afterAll(() => workshop.clear());

const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT };
const INITIALIZE = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello })}\n`;

/** A proxy before a service, whose connections can be cut. */
async function proxyOf({ origin }: Server) {
  const open = new Set<Socket>();
  const proxy = createServer((from) => {
    const to = connect(Number(new URL(origin).port), '127.0.0.1');
    for (const socket of [from, to]) {
      open.add(socket);
      socket.on('error', () => undefined).on('close', () => [from, to].forEach((one) => one.destroy()));
    }
    from.pipe(to).pipe(from);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cut: () => open.forEach((socket) => socket.destroy()),
    close: () => proxy.close(),
  };
}

describe('the end of npm run cli -- mcp', () => {
  let server: Server;
  let remote: Door;
  let embedded: Door;
  let password: string;
  beforeAll(async () => {
    ({ server, remote, embedded, password } = await openDoors(workshop));
  });

  describe.each([
    ['a running service', () => remote],
    ['the database of this machine', () => embedded],
  ])('door to %s', (_, door) => {
    it.each<[string, (child: ReturnType<typeof spawn>) => void]>([
      ['SIGINT', (child) => child.kill('SIGINT')],
      ['SIGTERM', (child) => child.kill('SIGTERM')],
      ['SIGHUP', (child) => child.kill('SIGHUP')],
      ['the end of its input', (child) => child.stdin?.end()],
    ])('comes with %s, without an error and with nothing left running', async (__, end) => {
      const { command, args, env } = doorCommand(door());
      const child = spawn(command, args, { env });
      const ended = once(child, 'close') as Promise<[number | null, string | null]>;
      let [out, errors] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (part: string) => (out += part));
      child.stderr.setEncoding('utf8').on('data', (part: string) => (errors += part));
      child.stdin.on('error', () => undefined).write(INITIALIZE);
      await until(() => out.includes('\n'), 'an answer');
      end(child);
      expect([await ended, errors]).toEqual([[0, null], '']);
      expect(isRunning(child.pid as number)).toBe(false);
      // Another process can open the same database at once.
      const { client } = await legacy(door());
      await client.close();
    });
  });

  it('a stream that breaks off is followed again', async () => {
    const proxy = await proxyOf(server);
    const { client } = await modern({ ...remote, args: ['--url', proxy.url] });
    const assistant = client as unknown as Assistant;
    const { structuredContent } = await assistant.callTool({
      name: 'remember',
      arguments: { title: 'Lost' },
    });
    const { id } = structuredContent.node as { id: string };
    const heard: string[] = [];
    client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void heard.push(params.uri),
    );
    client.setNotificationHandler('notifications/resources/list_changed', () => void heard.push('resources'));
    await client.listen({ resourceSubscriptions: [`graph://node/${id}`], resourcesListChanged: true });
    proxy.cut();
    // Changes of the pause are unknown, so the client is asked to look again.
    await until(() => heard.includes('resources'), 'a new stream');
    const change = async () => {
      await assistant.callTool({ name: 'update_node', arguments: { id, text: `Found ${heard.length}` } });
      return heard.includes(`graph://node/${id}`);
    };
    await until(change, 'a change');
    await client.close();
    proxy.close();
  });

  it('leaves its calls in the access log as those of tools', async () => {
    const { client } = await modern(embedded);
    const assistant = client as unknown as Assistant;
    await assistant.callTool({ name: 'search', arguments: { query: 'spring concert' } });
    await client.close();
    const served = await workshop.serve({ DATA_DIR: embedded.env['DATA_DIR'] as string, DATABASE_URL: '' });
    const person = await served.logIn({ email: 'demo@example.org', password });
    const { body } = await person.get('/access-log?via=mcp');
    expect(body.entries).toContainEqual(expect.objectContaining({ via: 'mcp', tool: 'search' }));
    await served.kill('SIGTERM');
  });
});
