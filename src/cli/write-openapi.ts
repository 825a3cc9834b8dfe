import { writeFile } from 'node:fs/promises';
import 'reflect-metadata';
import { Config } from '../config/config.js';
import { configureApp, createService } from '../configure-app.js';
import { buildOpenApi } from '../kernel/http/openapi/openapi.js';
import { packageRoot } from '../kernel/package-root.js';

/** The first step of npm run openapi: writes docs/openapi.json from the code; a test compares them. */
async function write(): Promise<void> {
  const app = await createService(new Config({ DATABASE_URL: 'memory://', LOG_LEVEL: 'silent' }));
  await configureApp(app);
  const target = new URL('docs/openapi.json', packageRoot);
  await writeFile(target, `${JSON.stringify(buildOpenApi(app), null, 2)}\n`);
  await app.close();
}

export const done = write();
