import { type INestApplicationContext } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import 'reflect-metadata';
import { Config } from '../config/config.js';
import { configureApp, createService } from '../configure-app.js';
import { Users } from '../identity/index.js';
import { packageRoot } from '../kernel/package-root.js';
import { letAppsIn, registerPerson } from './demo-cast.js';
import { DemoClient } from './demo-client.js';
import { compare } from './demo-comparison.js';
import { describeImport, importFor, readSource } from './import-source.js';
import { ImportWatch } from './progress.js';
import { allowClosedPipe, explain, print, UsageError } from './operator.js';
import { isFirstStart } from './seed-demo.js';

const ROOT = fileURLToPath(packageRoot);

/**
 * npm run demo: imports a person's notes and résumé into a fresh service, authorizes two apps with two profiles, and
 * shows side by side what each of them gets over HTTP, with the time of each call.
 */
async function demonstrate(): Promise<void> {
  const given = process.env['DATA_DIR'];
  const dataDir = given ?? (await mkdtemp(join(tmpdir(), 'pig-demo-')));
  try {
    const app = await serve(dataDir);
    try {
      await perform(app, `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`);
    } finally {
      await app.close();
    }
  } finally {
    if (given === undefined) await rm(dataDir, { recursive: true, force: true });
  }
}

/** The real server on a free port, always on the embedded database, so that no other database is touched. */
async function serve(dataDir: string): Promise<NestExpressApplication> {
  const { LOG_LEVEL = 'error', RATE_LIMITS = 'off' } = process.env;
  const config = new Config({ DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL, RATE_LIMITS });
  const app = await createService(config);
  await configureApp(app);
  if (!(await isFirstStart(app))) {
    await app.close();
    throw new UsageError(
      `${dataDir} has accounts already, and the demonstration needs a fresh data directory: ` +
        'name one in DATA_DIR that does not exist yet, or leave DATA_DIR out for one that is removed afterwards',
    );
  }
  await app.listen(config.port, config.host);
  return app;
}

async function perform(app: INestApplicationContext, origin: string): Promise<void> {
  const anonymous = new DemoClient(origin);
  const person = await registerPerson(anonymous);
  for (const path of sources()) {
    const watch = new ImportWatch();
    const source = await readSource(path, new Date());
    const begin = performance.now();
    const owner = await app.get(Users).get(person.id);
    const report = await watch.during(() => importFor(app, owner, { ...source, onProgress: watch.show }));
    print(`\nImported ${path} in ${Math.round(performance.now() - begin)} ms`);
    for (const line of describeImport(source.graph, report)) print(`  ${line}`);
  }
  const apps = await letAppsIn(anonymous, person);
  print();
  for (const line of await compare(person, apps)) print(line);
}

/**
 * The notes beside the repository if they exist, else those of the tests; likewise the résumé, from the schema's
 * package.
 */
function sources(): string[] {
  const beside = join(ROOT, '../shared/data/markdown-vault');
  const fixtures = join(ROOT, 'test/fixtures');
  return [
    existsSync(beside) ? beside : join(fixtures, 'vault'),
    sampleResume() ?? join(fixtures, 'resume.json'),
  ];
}

function sampleResume(): string | null {
  try {
    return createRequire(import.meta.url).resolve('@jsonresume/schema/sample.resume.json');
  } catch {
    return null;
  }
}

allowClosedPipe();
export const done = demonstrate().catch((error: unknown) => {
  process.stderr.write(`error: ${explain(error)}\n`);
  process.exitCode = 1;
});
