import { readFileSync } from 'node:fs';
import { Config } from './config.js';

// Settings of the compose file follow; it has passwords of its own and passes some names on.
const [settings = ''] = readFileSync('.env.example', 'utf8').split(/^# For docker.*$/m);
const namesIn = (text: string): string[] =>
  [...text.matchAll(/^#([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name as string);

/** Every name that the configuration reads from the environment. */
function namesRead(): Set<string> {
  const read = new Set<string>();
  // Some names are read only if files are in S3.
  for (const bucket of [undefined, 'files']) {
    const get = (_: object, name: string | symbol) => {
      read.add(String(name));
      return name === 'S3_BUCKET' ? bucket : undefined;
    };
    new Config(new Proxy({}, { get }));
  }
  return read;
}

it('.env.example lists exactly the names that are read', () => {
  const read = namesRead();
  expect(namesIn(settings).sort()).toEqual([...read].sort());
});

it('docs/operating.md explains exactly the names that are read, except AWS_REGION, which is a fallback', () => {
  const [, table = ''] = readFileSync('docs/operating.md', 'utf8').split('| name | default | meaning |');
  const [first = ''] = table.split('\n\n');
  const rows = first.split('\n').map((row) => row.split('|')[1] ?? '');
  const explained = rows.flatMap((names) => [...names.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name));
  const read = namesRead();
  read.delete('AWS_REGION');
  expect(explained.sort()).toEqual([...read].sort());
});
