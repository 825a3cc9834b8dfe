import { posix } from 'node:path';
import { cleanText, oneLine, shorten } from './clean-text.js';
import { datesOf, splitFrontMatter } from './front-matter.js';
import { type MarkdownScan, scanMarkdown } from './markdown-scan.js';

export interface NoteLink {
  /** The way to resolve the link: a wikilink by name anywhere in the vault, a Markdown link by its path. */
  kind: 'wikilink' | 'markdown';
  /** The target as written, without alias, section and block. Empty: a place in the note itself. */
  target: string;
  /** The target in a link reference definition of the same label (Foam writes them for its wikilinks). */
  defined: string | null;
  embedded: boolean;
  /** The link as it is written in the text, for reports. */
  written: string;
  /** The line around the link, or the link's own text if the line has no other. */
  context: string;
}

export interface ParsedNote {
  title: string;
  value: string;
  properties: Record<string, unknown>;
  /** Tags of the front matter, then those of the text, in order of appearance, possibly repeated. */
  tags: string[];
  aliases: string[];
  links: NoteLink[];
  created: Date | null;
  updated: Date | null;
  problems: { code: 'bad_front_matter' | 'not_parsed'; message: string }[];
}

const MAX_CONTEXT = 300;

/**
 * Reads one Markdown file. `path` is used for the title only, when neither the front matter nor a heading
 * has one.
 */
export function parseNote(path: string, text: string): ParsedNote {
  const matter = splitFrontMatter(cleanText(text));
  const scan = scanMarkdown(matter.body);
  const { tags, properties } = takeTags(matter.properties);
  const problems: ParsedNote['problems'] = [];
  if (matter.problem) {
    const message = `front matter kept as text: ${matter.problem}`;
    problems.push({ code: 'bad_front_matter', message });
  }
  if (!scan.parsed)
    problems.push({ code: 'not_parsed', message: 'too deeply nested: Markdown links were not read' });
  return {
    title: titleOf(path, properties, scan.firstHeading),
    value: matter.kept,
    properties,
    tags: [...tags, ...inlineTags(scan.prose)],
    aliases: stringsOf(properties.aliases ?? properties.alias, ','),
    links: [
      ...propertyLinks(properties),
      ...wikilinks(matter.body, scan),
      ...markdownLinks(matter.body, scan),
    ],
    ...datesOf(properties),
    problems,
  };
}

function titleOf(path: string, properties: Record<string, unknown>, heading: string | null): string {
  const stated =
    typeof properties.title === 'string' || typeof properties.title === 'number' ? properties.title : '';
  const name = posix.basename(path, posix.extname(path));
  return oneLine(String(stated)) || oneLine(showWikilinks(heading ?? '')) || oneLine(name) || path;
}

/** `[[note|shown]]` as a reader sees it. */
function showWikilinks(text: string): string {
  return text.replace(/!?\[\[([^[\]]*)\]\]/g, (_, inner: string) => inner.split('|').at(-1) ?? inner);
}

/**
 * Takes tags and keywords out of the properties: as tags they are subject to exposure profiles; as
 * properties they would reveal the name of a hidden tag with the metadata.
 */
function takeTags(properties: Record<string, unknown>): {
  tags: string[];
  properties: Record<string, unknown>;
} {
  const tags: string[] = [];
  const rest = { ...properties };
  for (const key of ['tags', 'tag', 'keywords']) {
    const value = rest[key];
    const found = stringsOf(value, /[\s,]+/);
    if (found.length === 0 && value !== null && value !== '') continue;
    tags.push(...found);
    if (!Array.isArray(value) || found.length === value.filter((item) => item !== null).length)
      delete rest[key];
  }
  return { tags, properties: rest };
}

/** The scalars of a list, or of a text cut at the separator: names of several words need a list, as in Foam. */
function stringsOf(value: unknown, separator: string | RegExp): string[] {
  const items: unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? value.split(separator)
      : [value];
  return items
    .filter((item) => typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean')
    .map((item) => oneLine(String(item)))
    .filter((item) => item !== '');
}

/**
 * Tags as in Obsidian and Foam: after white space, letters, digits, `_ - /`, at least one of them not a
 * digit.
 */
const TAG =
  /(?<=^|[\s(])#(?=[\d/-]*[\p{L}\p{Emoji_Presentation}_])([\p{L}\p{M}\p{N}\p{Emoji_Presentation}\u200d\ufe0f_/-]+)/gmu;

function inlineTags(prose: string): string[] {
  return [...prose.matchAll(TAG)].map((match) => match[1] ?? '');
}

const WIKILINK = /(!?)\[\[([^[\]\n\0]+)\]\]/g;

function wikilinks(body: string, scan: MarkdownScan): NoteLink[] {
  return [...scan.prose.matchAll(WIKILINK)].flatMap((match) => {
    const { index } = match;
    const [written, bang, inner = ''] = match;
    if (escaped(scan.prose, index) || inner.trim() === '') return [];
    const link = readWikilink(inner, scan.definitions);
    const context = contextOf(body, index, index + written.length, link.shown);
    return [{ kind: 'wikilink' as const, ...link, embedded: bang === '!', written, context }];
  });
}

function escaped(text: string, index: number): boolean {
  return (/\\*$/.exec(text.slice(Math.max(0, index - 32), index))?.[0].length ?? 0) % 2 === 1;
}

function readWikilink(inner: string, definitions: Map<string, string>) {
  // Inside a table the bar before an alias is written `\|`.
  const [place = '', ...shown] = inner.replaceAll('\\|', '|').split('|');
  const target = place.replace(/[#^].*$/, '').trim();
  const defined =
    definitions.get(target.toLowerCase()) ?? definitions.get(inner.trim().toLowerCase()) ?? null;
  return { target: target.replaceAll('\\', '/'), defined, shown: oneLine(shown.at(-1) || place) };
}

function markdownLinks(body: string, scan: MarkdownScan): NoteLink[] {
  return scan.links.map((link) => ({
    kind: 'markdown',
    target: link.url,
    defined: null,
    embedded: link.image,
    written: shorten(oneLine(body.slice(link.start, link.end)), MAX_CONTEXT),
    context: contextOf(body, link.start, link.end, oneLine(link.text) || link.url),
  }));
}

/** Wikilinks in properties, which Obsidian also counts as links; the context is the property's name. */
function propertyLinks(properties: Record<string, unknown>): NoteLink[] {
  return Object.entries(properties).flatMap(([key, value]) =>
    [...JSON.stringify(value).matchAll(WIKILINK)].map(([written, , inner = '']) => {
      const { target } = readWikilink(inner.replace(/\\(["\\])/g, '$1'), new Map());
      return { kind: 'wikilink' as const, target, defined: null, embedded: false, written, context: key };
    }),
  );
}

/** The line of the link without the marks of lists, quotes, headings and tables; cut around the link when long. */
function contextOf(body: string, start: number, end: number, shown: string): string {
  const from = body.lastIndexOf('\n', start - 1) + 1;
  const to = body.indexOf('\n', end) === -1 ? body.length : body.indexOf('\n', end);
  if (to - from > MAX_CONTEXT) {
    const near = body.slice(Math.max(from, start - MAX_CONTEXT / 3), Math.min(to, end + MAX_CONTEXT / 3));
    return shorten(oneLine(`…${near}…`), MAX_CONTEXT);
  }
  const line = oneLine(
    body.slice(from, to).replace(/^(?:[ \t>|]|[-*+][ \t]|\d+[.)][ \t]|#{1,6}[ \t]|\[[ xX]\][ \t])*/, ''),
  );
  const alone = line.replace(/[|.\s]+$/, '') === oneLine(body.slice(start, end));
  return shorten(alone || line === '' ? shown : line, MAX_CONTEXT);
}
