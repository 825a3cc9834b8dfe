import { readFileSync } from 'node:fs';
import { packageRoot } from '../package-root.js';

let path: string | undefined;

/**
 * The path of the console's style sheet from the root of the service, for pages elsewhere that look the same. Its name
 * changes with its contents, so it is read from the built page.
 * @throws where the console has not been built
 */
export function pageStyle(): string {
  const page = (): string => readFileSync(new URL('dist/console/index.html', packageRoot), 'utf8');
  path ??= `console/${/assets\/[\w-]+\.css/.exec(page())?.[0] ?? ''}`;
  return path;
}
