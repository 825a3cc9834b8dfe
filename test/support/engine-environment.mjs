import { readFileSync } from 'node:fs';
import { TestEnvironment } from 'jest-environment-node';
import { withSharedMemory } from '../../src/libs/embedded-postgres/memory.mjs';

/** The embedded database's code, compiled. V8 shares it with all threads of the process as long as one holds it. */
let engine = null;

/**
 * The environment of all tests: it holds the code of the embedded database. Without this, each database of each test
 * file has it compiled again, which takes longer than most tests.
 */
export default class EngineEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    if (!process.env.TEST_DATABASE_URL) await (engine ??= compiledEngine());
  }
}

function compiledEngine() {
  const file = new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'));
  return WebAssembly.compile(withSharedMemory(readFileSync(file)));
}
