import { existsSync } from 'node:fs';

/** The folder of package.json. Sources, compiled files and the bundle lie at different depths below it. */
export const packageRoot = nearest(new URL('.', import.meta.url));

function nearest(folder: URL): URL {
  const parent = new URL('..', folder);
  if (existsSync(new URL('package.json', folder)) || parent.href === folder.href) return folder;
  return nearest(parent);
}
