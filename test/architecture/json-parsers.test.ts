import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The messages of the linter about JSON.parse for a text in the place of a file. */
function complaints(file: string, text: string): string[] {
  const cli = resolve('node_modules/eslint/bin/eslint.js');
  const options = ['--stdin', '--stdin-filename', file, '--format', 'json'];
  const run = spawnSync(process.execPath, [cli, ...options], { input: text, encoding: 'utf8' });
  if (run.stdout === '') throw new Error(run.stderr);
  const [{ messages }] = JSON.parse(run.stdout) as [{ messages: { ruleId: string; message: string }[] }];
  return messages.filter(({ ruleId }) => ruleId === 'no-restricted-properties').map(({ message }) => message);
}

describe('parsers of JSON', () => {
  const file = 'src/kernel/http/bodies/body.guard.ts';

  it('other parsers than parseJson are found by the linter in the reader of bodies: a planted one, and no other', () => {
    const source = readFileSync(file, 'utf8');
    const planted = 'export const planted = (text: string): unknown => JSON.parse(text);';
    expect(complaints(file, `${source}\n${planted}\n`)).toEqual([expect.stringContaining('Use parseJson')]);
    expect(source).not.toContain('express.json');
  });
});
