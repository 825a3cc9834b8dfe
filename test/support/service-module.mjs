import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const OWN = readFileSync(import.meta.filename, 'utf8');

/** Replaces a module of src/ by the exports of the compiled one, see service-environment.mjs. */
export default {
  canInstrument: false,
  getCacheKey: (_, path) => createHash('sha256').update(`${path} ${newestBuild()} ${OWN}`).digest('hex'),
  async processAsync(_, path) {
    const url = pathToFileURL(resolve('build', relative(resolve('src'), path).replace(/\.ts$/, '.js'))).href;
    const names = Object.keys(await import(url));
    return { code: `export const { ${names.join(', ')} } = await importService(${JSON.stringify(url)});` };
  },
};

/** Changed by each compilation that changes anything. */
const newestBuild = () => statSync('build/.tsbuildinfo').mtimeMs;
