import { connect, createServer, type AddressInfo } from 'node:net';
import { hasS3, s3Environment } from './s3.js';
import { Server } from './server.js';

/**
 * Several processes of the built service on one database, one Redis and one S3, which all start at the same time,
 * behind one address that gives each connection to the next of them.
 */
export async function startProcesses(
  count: number,
  settings: Record<string, string>,
): Promise<{ origin: string; ports: number[]; stop: () => Promise<void> }> {
  const environment = { ...(hasS3 ? s3Environment : {}), ...settings };
  const servers = await Promise.all(Array.from({ length: count }, () => Server.start(environment)));
  const ports = servers.map(({ origin }) => Number(new URL(origin).port));
  let turn = 0;
  const proxy = createServer((from) => {
    const to = connect(ports[turn++ % count] as number, '127.0.0.1');
    from.on('error', () => to.destroy()).on('close', () => to.destroy());
    to.on('error', () => from.destroy()).on('close', () => from.destroySoon());
    from.pipe(to).pipe(from);
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  const { port } = proxy.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    ports,
    stop: async () => {
      proxy.close();
      await Promise.all(servers.map((server) => server.kill('SIGTERM')));
    },
  };
}
