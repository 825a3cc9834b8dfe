// A process that serves one world of tests after another (service-hosts.mjs), each with a service of its own from the
// bundle: loading and compiling the bundle takes longer than most tests.
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';

const bundle = createRequire(import.meta.url)('../../dist/service.cjs');
const { configureApp, createService } = await bundle.configureApp();
const { Config } = await bundle.config();
const { Clock } = await bundle.clock();
const { Draining } = await bundle.draining();
const { PasswordHasher } = await bundle.passwordHasher();

let app = null;

/** @returns the port */
async function start({ settings, cost }) {
  // Libraries read the environment, too.
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, settings);
  const config = new Config(settings);
  app = await createService(config);
  Object.assign(app.get(PasswordHasher), { cost });
  Object.assign(app.get(Draining), { graceMs: 0 });
  await configureApp(app);
  await app.listen(config.port, config.host);
  // A machine that stalls for seconds must not lose a kept connection.
  app.getHttpServer().keepAliveTimeout = 600_000;
  return app.getHttpServer().address().port;
}

/** @returns the resources that the world has left behind in this process, and its memory */
async function stop() {
  await app.close();
  app = null;
  // Sockets end in turns of their own.
  for (let turn = 0; turn < 100 && leftBehind().length > 0; turn++) await wait(5, undefined, { ref: false });
  return { left: leftBehind(), bytes: process.memoryUsage.rss() };
}

/** Stops the clock of the service of this world at a time. */
function holdClock(at) {
  app.get(Clock).now = () => new Date(at);
}

const inUse = () => [
  ...process.getActiveResourcesInfo(),
  ...process.eventNames().flatMap((event) => process.listeners(event).map(() => `on ${String(event)}`)),
];

/** Names the resources and listeners beyond those from before the first world. */
function leftBehind() {
  const rest = [...before];
  return inUse().filter((name) => {
    const at = rest.indexOf(name);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}

process.once('disconnect', () => process.exit());
process.on('message', async ({ start: given, holdClock: at }) => {
  try {
    process.send({ done: await (given ? start(given) : at ? holdClock(at) : stop()) });
  } catch (error) {
    process.send({ failed: String(error?.stack ?? error) });
  }
});
const before = inUse();
process.send({ done: null });
