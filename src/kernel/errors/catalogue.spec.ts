import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_STATUS } from './catalogue.js';

const CODES = Object.keys(ERROR_STATUS);

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(ts|mjs)$/.test(file) && !/(\.spec\.ts|errors\/catalogue\.ts)$/.test(file))
  .map((file) => readFileSync(join('src', file), 'utf8'));

/** True if some code creates or chooses this error; the lists of errors at endpoints do not count. */
const isMade = (code: string): boolean => {
  const made = new RegExp(`(DomainError(\\.absent)?\\(\\s*|[?:=(] ?|return |code: )'${code}'`);
  return sources.some((source) => made.test(source));
};

it('every code of the catalogue is answered somewhere', () => {
  expect(CODES.filter((code) => !isMade(code))).toEqual([]);
});

it('every code of the catalogue is in the document that clients read', () => {
  const document = readFileSync('docs/openapi.json', 'utf8');
  expect(CODES.filter((code) => !document.includes(code))).toEqual([]);
});
