import { connect, createServer, type AddressInfo } from 'node:net';
import { hasS3, s3Environment } from './s3.js';

/** The exports of service-hosts.mjs. */
declare const serviceHosts: {
  takeHosts(count: number): {
    start(settings: Record<string, string>, cost: object): Promise<number>;
    holdClock(at: number): Promise<void>;
    stop(): Promise<void>;
    kill(): void;
  }[];
};

/** Stops the clock of a service at a time, in all its processes. */
export type HoldClock = (at: Date) => Promise<void>;

/**
 * Several processes, each with a service from the bundle, on one database, one Redis and one S3, behind one address that
 * gives each connection to the next of them. The processes serve one world after another.
 * @param cost the cost of hashing passwords
 */
export async function startProcesses(
  count: number,
  settings: Record<string, string>,
  cost: object,
): Promise<{ origin: string; ports: number[]; holdClock: HoldClock; stop: () => Promise<void> }> {
  const environment = {
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    ...(hasS3 ? s3Environment : {}),
    ...settings,
    PORT: '0',
  };
  const hosts = serviceHosts.takeHosts(count);
  const started = await Promise.allSettled(hosts.map((host) => host.start(environment, cost)));
  const failed = started.find((result) => result.status === 'rejected');
  if (failed) {
    for (const host of hosts) host.kill();
    throw failed.reason;
  }
  const ports = started.map((result) => (result as PromiseFulfilledResult<number>).value);
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
    holdClock: async (at) => void (await Promise.all(hosts.map((host) => host.holdClock(at.getTime())))),
    stop: async () => {
      proxy.close();
      await Promise.all(hosts.map((host) => host.stop()));
    },
  };
}
