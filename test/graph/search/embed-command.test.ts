import { jest } from '@jest/globals';
import { explain, withService } from '../../../src/cli/operator.js';
import { operatorProgram } from '../../../src/cli/program.js';
import { EmbeddingSettings } from '../../../src/graph/search/application/embedding-settings.service.js';
import { Users } from '../../../src/identity/index.js';
import { Accesses, ExposureProfiles } from '../../../src/privacy/index.js';
import { EmbeddingsServer, refuses } from '../../support/embeddings-server.js';
import { outerGlobals } from '../../support/outer-globals.js';
import { Workshop } from '../../support/server.js';

const { process } = outerGlobals;
const workshop = new Workshop();
let server: EmbeddingsServer;
let output = '';
let before: NodeJS.ProcessEnv;

beforeAll(async () => {
  server = await EmbeddingsServer.start();
  before = { ...process.env };
  Object.assign(process.env, server.settings, {
    DATA_DIR: await workshop.emptyDirectory(),
    DATABASE_URL: '',
    LOG_LEVEL: 'silent',
  });
});
afterAll(async () => {
  jest.restoreAllMocks();
  process.env = before;
  await workshop.clear();
  await server.stop();
});
beforeEach(() => {
  output = '';
  const write = (text: string | Uint8Array): boolean => {
    output += text.toString();
    return true;
  };
  jest.spyOn(process.stdout, 'write').mockImplementation(write);
  jest.spyOn(process.stderr, 'write').mockImplementation(write);
});
afterEach(() => {
  jest.mocked(process.stdout.write).mockRestore();
  jest.mocked(process.stderr.write).mockRestore();
});

/** @returns the printed text, or the one line of the error that main.ts would print */
async function run(...words: string[]): Promise<string> {
  const before = output.length;
  try {
    await operatorProgram().parseAsync(words, { from: 'user' });
    return output.slice(before);
  } catch (error) {
    return `error: ${explain(error)}\n`;
  }
}

const switchOn = (name: string) =>
  withService(async (app) => {
    const user = await app.get(Users).findByUsername(name);
    if (!user) throw new Error(`no ${name}`);
    const profiles = app.get(ExposureProfiles);
    const { id } = await profiles.createFromTemplate(user.id, 'transparent', 'to embed');
    await app.get(EmbeddingSettings).set(await app.get(Accesses).ofOwner(user.id), id);
  });

it('embed computes what exists for owners who have switched it on, and continues after an end', async () => {
  await run('create-user', '--email', 'anna@example.org', '--username', 'anna');
  await run('import', 'test/fixtures/resume.json', '--user', 'anna');
  expect(await run('embed')).toBe('No owner has switched vectors of the service on.\n');
  expect(await run('embed', '--user', 'anna')).toMatch(/^error: anna has not switched it on: /);
  expect(server.texts).toEqual([]);
  await switchOn('anna');
  // A signal arrives while the service is busy: the process is not ended here, so nothing but the work is.
  server.answers.push((response, request) => {
    process.emit('SIGINT');
    refuses(429, { 'Retry-After': '1' })(response, request);
  });
  expect(await run('embed')).toMatch(/^error: anna has 0 vectors; run it again to continue/);
  server.clear();
  const printed = await run('embed', '--user', 'anna');
  const [, count] = /^anna has (\d+) vectors\n$/.exec(printed) ?? [];
  expect(Number(count)).toBeGreaterThan(0);
  expect(server.texts).toHaveLength(Number(count));
  server.clear();
  expect(await run('embed')).toBe(printed);
  expect(server.texts).toEqual([]);
});

it('embed says that no service for vectors is set', async () => {
  process.env['EMBEDDINGS_URL'] = '';
  expect(await run('embed')).toBe('error: EMBEDDINGS_URL is not set: there is no service for vectors\n');
});
