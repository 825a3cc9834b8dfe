import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { resolve } from 'node:path';
import { AppModule } from '../app.module.js';
import { Config, ConfigurationError } from '../config/config.js';
import { configureApp, createService } from '../configure-app.js';
import { AmbiguousSource, ImportUndone, UnreadableSource } from '../import/index.js';
import { isUnavailable } from '../kernel/database/violations.js';
import { UnfinishedImports } from '../portability/index.js';

/** A command that cannot run with its arguments. The message is one line. */
export class UsageError extends Error {}

/** Runs a command on the service itself, without HTTP; the database is migrated before and closed after. */
export async function withService<T>(work: (app: INestApplicationContext) => Promise<T>): Promise<T> {
  const app = await NestFactory.createApplicationContext(AppModule.forRoot(configOfCommand()), {
    logger: ['fatal'],
    abortOnError: false,
  });
  return closing(app, () => work(app));
}

/** Runs a command on the service with its HTTP server, which listens on no port. */
export async function withHttpService<T>(work: (app: INestApplicationContext) => Promise<T>): Promise<T> {
  const app = await createService(configOfCommand());
  return closing(app, async () => {
    await configureApp(app);
    return work(app);
  });
}

/**
 * The operator reads the output of the command, so the service only logs errors. Events of the command are sent by the
 * service's processes.
 */
function configOfCommand(): Config {
  const { LOG_LEVEL = 'error' } = process.env;
  return new Config({ ...process.env, LOG_LEVEL, WEBHOOK_WORKERS: 'false' });
}

async function closing<T>(app: INestApplicationContext, work: () => Promise<T>): Promise<T> {
  try {
    // Nobody else serves this account while the command has the embedded database, so it waits for what is taken back.
    await app.get(UnfinishedImports).resumed;
    return await work();
  } finally {
    await app.close();
  }
}

/** Resolves a path against the operator's directory; npm runs scripts in the package's folder. */
export const fromCaller = (path: string): string => resolve(process.env['INIT_CWD'] ?? process.cwd(), path);

/** An error in one line, for the last line of the terminal. */
export function explain(error: unknown): string {
  if (error instanceof ConfigurationError) return `configuration: ${error.message}`;
  if (isOfTheCommand(error)) return error.message;
  // A host name with several addresses fails with one error for each.
  if (error instanceof AggregateError && error.errors.length > 0) return explain(error.errors[0]);
  if (isUnavailable(error)) return `the database cannot be used: ${firstLine(error)}`;
  return firstLine(error);
}

const isOfTheCommand = (error: unknown): error is Error =>
  [UsageError, UnreadableSource, AmbiguousSource, ImportUndone].some((kind) => error instanceof kind);

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error);
  return message.split('\n')[0] ?? message;
}

export function print(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** Ignores that a reader has closed the pipe early (`| head`), or has gone while the service continues. */
export function allowClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}
