import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type DemoAccount, seedDemo } from '../../../src/cli/seed-demo.js';
import { type World } from '../../support/world.js';
import { withWorld } from '../../support/worlds/with-world.js';

const PAGE = readFileSync(new URL('../../../docs/assistant.md', import.meta.url), 'utf8');
const PROGRAM = /```js\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? '';
const run = promisify(execFile);

/** The program of docs/assistant.md, as a developer copies it, against the demo user of the first start. */
describe('docs/assistant.md', () => {
  let world: World;
  let demo: DemoAccount;
  withWorld((started) => (world = started));
  const folder = mkdtempSync(join(tmpdir(), 'pig-assistant-'));
  const file = join(folder, 'assistant.mjs');
  beforeAll(async () => {
    writeFileSync(file, PROGRAM);
    demo = await seedDemo(world.nest);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function answer(question: string): Promise<string> {
    const env = { API: `${world.origin}/api/v1`, KEY: demo.appKey, USER_ID: demo.userId };
    const { stdout } = await run(process.execPath, [file, question], { env });
    return stdout.trim();
  }

  it('the program has at most thirty lines', () => {
    const lines = PROGRAM.split('\n').filter((line) => line.trim() !== '');
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.length).toBeLessThanOrEqual(30);
  });

  it.each([
    ['What happened at the spring concerts?', /^Sang the alto part of the spring concert/],
    ['Who were the sopranos?', /^Sang the alto .*second \*sopranos\* were late/],
    ['Which bread would you like to bake?', /^Bake a loaf that deserves its crust/],
    ['Does walking make things easier?', /^Most things get easier after a walk/],
    ['Tell me about Robbin Vale', /^I take "robbin" for "robin".\nRobin Vale/],
    ['Why can she not sleep?', /^I find nothing about this in what I may see\.$/],
  ])('the assistant answers: %s', async (question, expected) => {
    expect(PAGE).toContain(`| ${question} |`);
    expect(await answer(question)).toMatch(expected);
  });
});
