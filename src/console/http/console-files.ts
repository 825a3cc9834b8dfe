import { Injectable } from '@nestjs/common';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Coding } from '../../kernel/http/answers/compression.js';
import { packageRoot } from '../../kernel/package-root.js';

/** A file, compressed once at the start. */
export interface ConsoleFile {
  type: string;
  /** The bytes by content coding; pictures and maps are sent as they are. */
  bytes: Record<Coding | 'identity', Buffer>;
}

const FOLDER = new URL('dist/console/', packageRoot);
const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The built files of the console, held in memory. */
@Injectable()
export class ConsoleFiles {
  private readonly assets: ReadonlyMap<string, ConsoleFile>;
  private readonly page: string;

  /** @throws where the console has not been built */
  constructor() {
    this.page = readFileSync(new URL('index.html', FOLDER), 'utf8');
    const folder = new URL('assets/', FOLDER);
    const names = readdirSync(folder).filter((name) => extname(name) in TYPES);
    this.assets = new Map(names.map((name) => [name, load(new URL(name, folder))]));
  }

  /** Null for a name that no file has. */
  asset(name: string): ConsoleFile | null {
    return this.assets.get(name) ?? null;
  }

  /**
   * The page, whose files are found from the path by which it is opened. An absolute path would not be theirs behind a
   * proxy that serves the service below a path of its own.
   */
  pageAt(path: string): string {
    const root = '../'.repeat(path.split('/').length - 2);
    return this.page.replaceAll('"assets/', `"${root}console/assets/`);
  }
}

function load(file: URL): ConsoleFile {
  const identity = readFileSync(file);
  const type = TYPES[extname(file.pathname)] as string;
  return {
    type,
    bytes: { identity, gzip: gzipSync(identity, { level: 9 }), br: brotliCompressSync(identity) },
  };
}
