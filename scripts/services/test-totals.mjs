// Adds up the closing lines of jest runs found in log files, repeats the failures and prints `N passed, N failed`.
// Fails when a test failed or none ran. A suite that could not even be loaded has no tests to count: it counts as one.
import { readFileSync } from 'node:fs';

const count = (line, word) => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0);

/** Lines repeated of each failure. */
const LINES = 16;
const failures = new Map();
let passed = 0;
let failed = 0;
let skipped = 0;
for (const file of process.argv.slice(2)) {
  const text = readFileSync(file, 'utf8').replace(/\u001b\[[0-9;]*m/g, '');
  for (const [, title, rest] of text.matchAll(/^ {2}● (.* › .*)\n((?:(?! {2}● |PASS |FAIL ).*\n)*)/gm))
    failures.set(title, rest.split('\n').filter(Boolean).slice(0, LINES).join('\n'));
  let before = 0;
  for (const [, kind, line] of text.matchAll(/^(Test Suites|Tests): +(.*)$/gm)) {
    if (kind === 'Test Suites') {
      before = count(line, 'failed');
    } else {
      passed += count(line, 'passed');
      skipped += count(line, 'skipped') + count(line, 'todo');
      failed += Math.max(count(line, 'failed'), before);
      before = 0;
    }
  }
}

for (const [title, lines] of failures) console.log(`\n● ${title}\n${lines}`);
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
