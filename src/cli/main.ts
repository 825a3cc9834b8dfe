import 'reflect-metadata';
import { CommanderError } from 'commander';
import { allowClosedPipe, explain } from './operator.js';
import { operatorProgram } from './program.js';
import { Interrupted } from './progress.js';

/** npm run cli -- <command>: the operator's commands. One clear line and exit 1 when something is wrong. */
async function run(): Promise<void> {
  try {
    await operatorProgram().parseAsync();
  } catch (error) {
    // Commander has said its line already; help that was asked for is no error.
    if (error instanceof CommanderError) process.exitCode = error.exitCode;
    else if (error instanceof Interrupted)
      process.stderr.write(`${error.message}\n`, () => process.exit(error.exitCode));
    // What a service that could not be opened holds open must not keep the process.
    else process.stderr.write(`error: ${explain(error)}\n`, () => process.exit(1));
  }
}

allowClosedPipe();
export const done = run();
