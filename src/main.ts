import { type INestApplicationContext } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type AddressInfo } from 'node:net';
import 'reflect-metadata';
import { allowClosedPipe, explain } from './cli/operator.js';
import { isFirstStart, seedDemo } from './cli/seed-demo.js';
import { Config } from './config/config.js';
import { configureApp, createService } from './configure-app.js';
import { limitHeapGrowth } from './kernel/observability/heap-growth.js';
import { UnitOfWork } from './kernel/change-log/unit-of-work.js';

/**
 * The time that an upload may take; Node's five minutes would cut a gigabyte over a slow line. Heads still have a
 * minute.
 */
const LONGEST_REQUEST_MS = 60 * 60 * 1000;

/** Far longer than a start takes; a start that waits without end then ends like any process. */
const AWAKE_MS = 30_000;

async function serve(): Promise<void> {
  // Keeps the event loop alive: with nothing to wait for, Node is about to end and waits for V8's background
  // compilation of the embedded database's code, nearly a tenth of a second.
  const awake = setTimeout(() => undefined, AWAKE_MS);
  limitHeapGrowth();
  const config = new Config(process.env);
  const app = await createService(config);
  // Without useProcessExit Nest ends the process by the signal it got: no exit code, for an orderly stop.
  app.enableShutdownHooks([], { useProcessExit: true });
  try {
    await open(app, config);
  } catch (error) {
    await app.close().catch(() => undefined);
    throw error;
  } finally {
    clearTimeout(awake);
  }
}

async function open(app: NestExpressApplication, config: Config): Promise<void> {
  await configureApp(app);
  await app.listen(config.port, config.host);
  app.getHttpServer().requestTimeout = LONGEST_REQUEST_MS;
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = config.port === 0 ? `http://${config.host}:${port}` : config.publicUrl;
  process.stdout.write(
    `Personal Identity Graph Service  ${url}\nConsole                          ${url}/console\nSwagger UI                       ${url}/docs\n`,
  );
  // Only a fresh data directory is a first try; a server's database, or one in memory, gets no demo account.
  if (config.databaseUrl === null && (await isFirstStart(app))) await introduce(app, url);
}

async function introduce(app: INestApplicationContext, url: string): Promise<void> {
  // Printed before the commit: the key is shown only this once, and the last one shown must be valid.
  await app.get(UnitOfWork).run(async () => {
    const { email, password, userId, appKey } = await seedDemo(app);
    process.stdout.write(
      `\nFirst start: a demo user (${email}, password ${password}) and an app of theirs.\n` +
        `The key is shown only this once. For the README's first five minutes:\n\n` +
        `  API=${url}/api/v1\n  KEY=${appKey}\n  USER_ID=${userId}\n\n` +
        `Or directly:\n\n` +
        `  curl -H 'X-API-Key: ${appKey}' -H 'X-User-ID: ${userId}' '${url}/api/v1/nodes?include_tags=true'\n\n`,
    );
  });
}

allowClosedPipe();

/** An error is one clear line and exit code 1: operators read the last line first. */
export const done = serve().catch((error: unknown) => {
  process.stderr.write(`cannot start: ${explain(error)}\n`);
  process.exit(1);
});
