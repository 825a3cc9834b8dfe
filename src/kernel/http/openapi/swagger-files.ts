import { type NextFunction, type Request, type Response } from 'express';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** The files that the page of Swagger UI names, beside those made by Nest. */
const FILES = new Set([
  '/swagger-ui.css',
  '/swagger-ui-bundle.js',
  '/swagger-ui-standalone-preset.js',
  '/favicon-16x16.png',
  '/favicon-32x32.png',
]);

/** Answers these files of a folder, each read once (2 MB together); other requests are left to the next handler. */
export function filesFromMemory(
  folder: string,
): (request: Request, response: Response, next: NextFunction) => void {
  const read = new Map<string, Buffer>();
  return ({ method, path }, response, next) => {
    if (!FILES.has(path) || (method !== 'GET' && method !== 'HEAD')) {
      next();
      return;
    }
    const file = read.get(path) ?? readFileSync(join(folder, path));
    read.set(path, file);
    response.type(extname(path)).send(file);
  };
}
