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
  const environment = new Proxy({}, { get: (_, name) => void asked.add(String(name)) });
  new Config(environment);
  return asked;
}

it('.env.example lists exactly the names that are read, and apart from them the reserved ones', () => {
  const read = namesRead();
  expect(namesIn(settings).sort()).toEqual([...read].sort());
  expect(namesIn(reserved).filter((name) => read.has(name))).toEqual([]);
});
