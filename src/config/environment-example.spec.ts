import { readFileSync } from 'node:fs';
import { Config } from './config.js';

const [settings = '', reserved = ''] = readFileSync('.env.example', 'utf8').split(
  /^# Names that are reserved.*$|^# For docker.*$/m,
);
const namesIn = (text: string): string[] =>
  [...text.matchAll(/^#([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name as string);

/** Every name that the configuration asks the environment for. */
function namesRead(): Set<string> {
  const asked = new Set<string>();
  // Some names are asked for only where files are in S3.
  for (const bucket of [undefined, 'files']) {
    const get = (_: object, name: string | symbol) => {
      asked.add(String(name));
      return name === 'S3_BUCKET' ? bucket : undefined;
    };
    new Config(new Proxy({}, { get }));
  }
  return asked;
}

it('.env.example lists exactly the names that are read, and apart from them the reserved ones', () => {
  const read = namesRead();
  expect(namesIn(settings).sort()).toEqual([...read].sort());
  expect(namesIn(reserved).filter((name) => read.has(name))).toEqual([]);
});
