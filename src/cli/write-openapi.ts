import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { writeFile } from 'node:fs/promises';
import 'reflect-metadata';
import { AppModule } from '../app.module.js';
import { Config } from '../config/config.js';
import { APP_OPTIONS, configureApp } from '../configure-app.js';
import { ExpressServer } from '../kernel/http/express-server.js';
import { buildOpenApi } from '../kernel/http/openapi.js';

/** npm run openapi: writes docs/openapi.json from the code; a test compares them. */
const config = new Config({ DATABASE_URL: 'memory://', LOG_LEVEL: 'silent' });
const app = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(config), new ExpressServer(), {
  ...APP_OPTIONS,
  abortOnError: false,
});
await configureApp(app);
const target = new URL('../../docs/openapi.json', import.meta.url);
await writeFile(target, `${JSON.stringify(buildOpenApi(app), null, 2)}\n`);
await app.close();
