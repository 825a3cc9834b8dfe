import { posix } from 'node:path';

/** Files that are notes; everything else in a vault is an attachment. */
export const NOTE_EXTENSION = /\.(?:md|mdx|markdown)$/i;

export interface LinkTarget {
  kind: 'note' | 'attachment';
  path: string;
  /** Other notes that the link could refer to. */
  others: string[];
}

interface NoteNames {
  path: string;
  title: string;
  aliases: string[];
}

/**
 * Finds the target of a link by the rules that Foam and Obsidian share. A name matches the end of a path,
 * without extension and case; of several matches the one in the same case wins, then the nearest by
 * folders, then the shortest, then the first in the alphabet. A folder's name refers to its `index` or
 * `readme`. If no file matches, the one note with that alias or title is the target. All paths are relative
 * to the vault, with `/`.
 */
export class LinkResolver {
  private readonly byPath = new Map<string, string[]>();
  private readonly byEnd = new Map<string, string[]>();
  private readonly byFolder = new Map<string, string[]>();
  private readonly byName = new Map<string, string[]>();
  private readonly notes = new Set<string>();

  constructor(notes: NoteNames[], attachments: string[]) {
    for (const note of notes) {
      this.notes.add(note.path);
      this.addFile(note.path);
      const named = new Set([note.title, ...note.aliases].map(fold));
      named.forEach((name) => add(this.byName, name, note.path));
    }
    attachments.forEach((path) => this.addFile(path));
  }

  /** @param target the text between the brackets, without alias, section and block */
  resolveWikilink(target: string, from: string): LinkTarget | null {
    const trimmed = target.replace(/\/+$/, '');
    if (/^\.{0,2}\//.test(trimmed)) return this.resolvePath(target, from);
    const name = trimmed.replace(/^(?:\.\/)+/, '');
    return (
      this.choose(this.endingIn(this.byEnd, name), from, name) ??
      this.choose(this.endingIn(this.byFolder, name), from, name) ??
      this.named(name)
    );
  }

  /** The path of a Markdown link (no scheme, query or fragment): from the note's folder, or from the top with `/`. */
  resolvePath(path: string, from: string): LinkTarget | null {
    const place = path.startsWith('/') ? path : posix.join('/', posix.dirname(from), path);
    if (leavesVault(path, from)) return null;
    const name = posix.normalize(place).replace(/^\/+|\/+$/g, '');
    return (
      this.choose(this.byPath.get(fold(name)) ?? [], from, name) ?? this.choose(this.folder(name), from, name)
    );
  }

  private addFile(path: string): void {
    const names = NOTE_EXTENSION.test(path) ? [path, path.replace(NOTE_EXTENSION, '')] : [path];
    for (const name of names) {
      add(this.byPath, fold(name), path);
      add(this.byEnd, fold(posix.basename(name)), path);
      const folder = posix.dirname(path);
      if (name !== path && /^(?:index|readme)$/i.test(posix.basename(name)) && folder !== '.') {
        add(this.byFolder, fold(posix.basename(folder)), path);
      }
    }
  }

  private folder(name: string): string[] {
    if (name === '') return ['index', 'readme'].flatMap((index) => this.byPath.get(index) ?? []);
    return this.endingIn(this.byFolder, name).filter((path) => fold(posix.dirname(path)) === fold(name));
  }

  private endingIn(map: Map<string, string[]>, name: string): string[] {
    const end = `/${fold(name)}`;
    return (map.get(fold(posix.basename(name))) ?? []).filter((path) => {
      const full = `/${fold(map === this.byFolder ? posix.dirname(path) : path)}`;
      return full.endsWith(end) || full.replace(NOTE_EXTENSION, '').endsWith(end);
    });
  }

  private named(name: string): LinkTarget | null {
    const [path, ...others] = this.byName.get(fold(name)) ?? [];
    return path !== undefined && others.length === 0 ? { kind: 'note', path, others } : null;
  }

  private choose(paths: string[], from: string, name: string): LinkTarget | null {
    const ranked = paths
      .map((path) => ({
        path,
        rank: [caseRank(path, name), folderRank(path), distance(path, from), path.split('/').length],
      }))
      .sort((a, b) => compare(a.rank, b.rank) || (a.path < b.path ? -1 : 1));
    const [best, ...others] = ranked.map((item) => item.path);
    if (best === undefined) return null;
    return { kind: this.notes.has(best) ? 'note' : 'attachment', path: best, others };
  }
}

function add(map: Map<string, string[]>, key: string, path: string): void {
  const paths = map.get(key);
  if (!paths) map.set(key, [path]);
  else if (!paths.includes(path)) paths.push(path);
}

function fold(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase();
}

function leavesVault(path: string, from: string): boolean {
  if (path.startsWith('/')) return false;
  return posix.join(posix.dirname(from), path).startsWith('..');
}

function caseRank(path: string, name: string): number {
  return path.includes(name) ? 0 : 1;
}

/** Orders `index` before `readme`, as Foam does. */
function folderRank(path: string): number {
  return /(?:^|\/)readme\.[^/]*$/i.test(path) ? 1 : 0;
}

/** The number of steps through the folder tree between two files. */
function distance(a: string, b: string): number {
  const [left, right] = [foldersOf(a), foldersOf(b)];
  let common = 0;
  while (common < left.length && common < right.length && left[common] === right[common]) common += 1;
  return left.length + right.length - 2 * common;
}

/** `['a', 'b']` of `a/b/note.md`. */
export function foldersOf(path: string): string[] {
  return path.split('/').slice(0, -1);
}

function compare(a: number[], b: number[]): number {
  for (let index = 0; index < a.length; index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
