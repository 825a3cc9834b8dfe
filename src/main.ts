import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import 'reflect-metadata';
import { AppModule } from './app.module.js';
import { Config, ConfigurationError } from './config/config.js';
import { APP_OPTIONS, configureApp } from './configure-app.js';

async function serve(): Promise<void> {
  const config = new Config(process.env);
  const app = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(config), { ...APP_OPTIONS, abortOnError: false });
  await configureApp(app);
  await app.listen(config.port, config.host);
}

/** One clear line and exit 1: whoever starts the service reads the last line first. */
serve().catch((error: unknown) => {
  const reason = error instanceof ConfigurationError ? `configuration: ${error.message}` : describe(error);
  process.stderr.write(`cannot start: ${reason}\n`);
  process.exit(1);
});

const describe = (error: unknown): string => (error instanceof Error ? error.message || error.name : String(error)).split('\n')[0] as string;
