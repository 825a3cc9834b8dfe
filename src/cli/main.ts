import 'reflect-metadata';
import { CommanderError } from 'commander';
import { allowClosedPipe, explain } from './operator.js';
import { operatorProgram } from './program.js';
import { Interrupted } from './progress.js';

/** npm run cli -- <command>: the operator's commands. An error is one clear line and exit code 1. */
async function run(): Promise<void> {
  try {
    await operatorProgram().parseAsync();
  } catch (error) {
    // Commander has already written its line; a request for help is not an error.
    if (error instanceof CommanderError) process.exitCode = error.exitCode;
    else if (error instanceof Interrupted)
      process.stderr.write(`${error.message}\n`, () => process.exit(error.exitCode));
    // Exits, because a service that failed to open may still hold resources that keep the process alive.
    else process.stderr.write(`error: ${explain(error)}\n`, () => process.exit(1));
  }
}

allowClosedPipe();
export const done = run();
