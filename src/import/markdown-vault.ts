import { basename, posix, resolve } from 'node:path';
import { shorten } from './clean-text.js';
import { fitLimits, LIMITS } from './fit-limits.js';
import { type ImportProgress } from './import-report.js';
import type {
  ImportedFile,
  ImportedGraph,
  ImportedNode,
  ImportedRelationship,
  ImportWarning,
} from './imported-graph.js';
import { foldersOf, LinkResolver, type LinkTarget } from './link-resolver.js';
import { type NoteLink, type ParsedNote, parseNote } from './markdown-note.js';
import { TagCollection } from './tag-collection.js';
import { readText, type VaultFile, walkVault } from './vault-files.js';

/** The outcomes of all links in the vault. `found` is the sum of the others. */
interface LinkTally {
  found: number;
  /** Links to another note of the vault, which become relationships. */
  notes: number;
  /** Links to a place in the same note. */
  self: number;
  /** Links to another file of the vault, which become relationships. */
  attachments: number;
  /** Links to an address with a scheme. */
  external: number;
  /** Unresolved links, reported and stored in the note's `metadata.source.unresolved_links`. */
  unresolved: number;
}

interface VaultAttachment extends ImportedFile {
  path: string;
  bytes: number;
  referenced_by: string[];
}

export interface VaultGraph extends ImportedGraph {
  links: LinkTally;
  /** Files other than notes; those that a note refers to become files of the graph. */
  attachments: VaultAttachment[];
  /** Files of the vault that are not in the graph: not text, or other files that no note refers to. */
  unread: ImportWarning[];
}

interface ReadNote {
  file: VaultFile;
  note: ParsedNote;
  /** Links to addresses with a scheme are only counted, because some vaults have very many. */
  external: number;
}

const MAX_UNRESOLVED = 100;

/**
 * Reads a folder of Markdown notes, as Obsidian, Foam and many others write them. Folders, `#tags`, tags
 * and keywords of the front matter become tags, links become `references`, the rest of the front matter
 * `metadata.properties`. One unreadable file never fails the whole import: see `warnings`.
 * @throws UnreadableSource when the folder itself cannot be read
 */
export async function readMarkdownVault(
  root: string,
  onProgress: (progress: ImportProgress) => void = () => undefined,
): Promise<VaultGraph> {
  const notes: ReadNote[] = [];
  const { files, attachments, warnings } = await listVault(root);
  for (const [done, file] of files.entries()) {
    onProgress({ phase: 'reading', done, total: files.length });
    const read = await readText(file);
    if ('warning' in read) warnings.push(read.warning);
    else notes.push(readNote(file, read.text));
  }
  onProgress({ phase: 'reading', done: files.length, total: files.length });
  return new VaultAssembly(basename(resolve(root)), notes, attachments).graph(warnings);
}

async function listVault(root: string) {
  const files: VaultFile[] = [];
  const attachments: VaultFile[] = [];
  const warnings: ImportWarning[] = [];
  for await (const entry of walkVault(root)) {
    if ('warning' in entry) warnings.push(entry.warning);
    else (entry.file.kind === 'note' ? files : attachments).push(entry.file);
  }
  return { files, attachments, warnings };
}

function readNote(file: VaultFile, text: string): ReadNote {
  const note = parseNote(file.path, text);
  const links = note.links.filter(({ kind, target }) => kind === 'wikilink' || pathOf(target) !== null);
  return { file, note: { ...note, links }, external: note.links.length - links.length };
}

const UNREAD = new Set<ImportWarning['code']>(['unreadable', 'not_text', 'too_large', 'link_not_followed']);

class VaultAssembly {
  private readonly tags = new TagCollection();
  private readonly resolver: LinkResolver;
  private readonly relationships = new Map<string, ImportedRelationship>();
  private readonly referenced = new Map<string, Set<string>>();
  private readonly links: LinkTally = {
    found: 0,
    notes: 0,
    self: 0,
    attachments: 0,
    external: 0,
    unresolved: 0,
  };
  private readonly warnings: ImportWarning[] = [];

  constructor(
    private readonly vault: string,
    private readonly notes: ReadNote[],
    private readonly attachments: VaultFile[],
  ) {
    const names = notes.map(({ file, note }) => ({
      path: file.path,
      title: note.title,
      aliases: note.aliases,
    }));
    const files = attachments.map((file) => file.path);
    this.resolver = new LinkResolver(names, files);
  }

  graph(warnings: ImportWarning[]): VaultGraph {
    // Hand-written tags come first, so that their spelling wins over that of a folder with the same name.
    const nodes = this.notes.map((read) => this.node(read));
    const fitted = fitLimits({
      importer: 'markdown-vault',
      nodes,
      relationships: [...this.relationships.values()],
      tags: this.tags.all(),
      warnings: [...warnings, ...this.warnings],
    });
    const attachments = this.attachments.map((file) => this.attachment(file));
    const files = attachments.filter(({ referenced_by }) => referenced_by.length > 0);
    const unread = [
      ...warnings.filter(({ code }) => UNREAD.has(code)),
      ...attachments.filter(({ referenced_by }) => referenced_by.length === 0).map(unreferenced),
    ];
    return { ...fitted, tags: this.tags.all(), files, links: this.links, attachments, unread };
  }

  private node({ file, note, external }: ReadNote): ImportedNode {
    this.links.found += external;
    this.links.external += external;
    for (const { code, message } of note.problems) this.warn(code, file.path, message);
    const unresolved = note.links.map((link) => this.follow(link, file.path)).filter((link) => link !== null);
    // Only the file's name: its folders are tags, and a tag hidden from an app must not appear in the
    // metadata.
    const source: Record<string, unknown> = { vault: this.vault, file: posix.basename(file.path) };
    if (unresolved.length > 0) source.unresolved_links = unresolved.slice(0, MAX_UNRESOLVED);
    const updated = note.updated ?? file.modified;
    // A note is never younger than its last change: a copied file has a new creation date.
    const created = note.created ?? (file.created < updated ? file.created : updated);
    return {
      ref: file.path,
      title: note.title,
      value: note.value === '' ? null : note.value,
      node_type: 'NOTE',
      meaning_level: 'CONTEXT',
      metadata: { properties: note.properties, source },
      tags: this.tagsOf(file.path, note),
      created_at: created,
      updated_at: updated < created ? created : updated,
    };
  }

  /**
   * Tagged by its folders like a note; a note that refers to it gives it no tag, because that would expose
   * the file to others.
   */
  private attachment({ path, bytes, location }: VaultFile): VaultAttachment {
    const referenced_by = [...(this.referenced.get(path) ?? [])];
    const tags =
      referenced_by.length === 0 ? [] : this.tags.add(foldersOf(path).join('/'), 'folder').reverse();
    const source = { vault: this.vault, file: posix.basename(path) };
    return { ref: path, name: posix.basename(path), location, tags, source, path, bytes, referenced_by };
  }

  private tagsOf(path: string, note: ParsedNote): string[] {
    const own = note.tags.flatMap((tag) => this.tags.add(tag, 'topic').reverse());
    const folder = this.tags.add(foldersOf(path).join('/'), 'folder').reverse();
    return [...new Set([...own, ...folder])];
  }

  /** Counts a link and relates its note to the target; returns the text of a target that does not exist. */
  private follow(link: NoteLink, from: string): string | null {
    this.links.found += 1;
    const place = link.kind === 'wikilink' ? link.target : pathOf(link.target);
    if (place === null) return this.count('external');
    if (place === '') return this.count('self');
    const target = this.targetOf(link, from, place);
    if (!target && leadsOut(link)) return this.count('external');
    if (!target) {
      this.links.unresolved += 1;
      this.warn('unresolved_link', from, `${link.written} leads nowhere`);
      // Without the line around it: text that a profile cuts or masks must not appear in the metadata.
      return shorten(link.target, 200);
    }
    if (target.others.length > 0) {
      this.warn(
        'ambiguous_link',
        from,
        `${link.written} read as ${target.path}, not ${target.others.join(' or ')}`,
      );
    }
    if (target.kind === 'attachment') {
      this.referenced.set(target.path, (this.referenced.get(target.path) ?? new Set()).add(from));
      this.relate(from, target.path, link.context);
      return this.count('attachments');
    }
    if (target.path === from) return this.count('self');
    this.relate(from, target.path, link.context);
    return this.count('notes');
  }

  private targetOf(link: NoteLink, from: string, place: string): LinkTarget | null {
    if (link.kind === 'wikilink') {
      const defined = link.defined === null ? null : pathOf(link.defined);
      // A definition written by the note's own program identifies the note; an outdated one is ignored.
      const byDefinition = defined ? this.resolver.resolvePath(defined, from) : null;
      return byDefinition ?? this.resolver.resolveWikilink(place, from);
    }
    return this.resolver.resolvePath(place, from);
  }

  /**
   * One relationship for all links from one note to another; their contexts are listed in its context, one
   * per line.
   */
  private relate(from: string, to: string, context: string): void {
    const key = JSON.stringify([from, to]);
    const known = this.relationships.get(key);
    if (!known) {
      this.relationships.set(key, { from, to, type: 'references', context });
    } else if (!known.context?.split('\n').includes(context)) {
      known.context = shorten(`${known.context}\n${context}`, LIMITS.context);
    }
  }

  private count(kind: keyof LinkTally): null {
    this.links[kind] += 1;
    return null;
  }

  private warn(code: ImportWarning['code'], ref: string, message: string): void {
    this.warnings.push({ code, ref, message });
  }
}

const unreferenced = ({ path }: VaultAttachment): ImportWarning => ({
  code: 'not_read',
  ref: path,
  message: 'no Markdown note, and no note refers to it',
});

/** `[[https://…]]`, or a wikilink whose definition is an address. */
function leadsOut(link: NoteLink): boolean {
  return (
    link.kind === 'wikilink' &&
    [link.target, link.defined ?? ''].some((place) => /^[a-z][a-z0-9+.-]*:\/\//i.test(place))
  );
}

/** The path in the address of a Markdown link, '' for a place in the same note, null for an address with a scheme. */
function pathOf(url: string): string | null {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(url)) return null;
  const path = url.replace(/[?#].*$/s, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
