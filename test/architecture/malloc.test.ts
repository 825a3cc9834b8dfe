import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const SETTING = /MALLOC_\w+ *[=:] *'?\d+/g;

const settingsOf = (file: string): string[] =>
  (readFileSync(join(ROOT, file), 'utf8').match(SETTING) ?? []).map((text) =>
    text.replace(/ *[=:] *'?/, '='),
  );

describe('memory', () => {
  it('the settings of malloc are the same in the image as for npm start and the rigs', () => {
    const settings = settingsOf('scripts/malloc.mjs');
    expect(settings).toHaveLength(3);
    expect(settingsOf('docker/Dockerfile')).toEqual(settings);
  });
});
