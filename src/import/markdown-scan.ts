import type { Definition, Nodes, Parents, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFootnoteFromMarkdown } from 'mdast-util-gfm-footnote';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmFootnote } from 'micromark-extension-gfm-footnote';
import { gfmTable } from 'micromark-extension-gfm-table';

interface MarkdownLink {
  url: string;
  text: string;
  image: boolean;
  start: number;
  end: number;
}

export interface MarkdownScan {
  /** The text, same length, with everything that is not prose (code, HTML, addresses, definitions) blanked by NUL. */
  prose: string;
  links: MarkdownLink[];
  /** Link reference definitions by lower-case label: Foam writes `[note]: path/note.md` for its wikilinks. */
  definitions: Map<string, string>;
  firstHeading: string | null;
  /** False when the text was too deeply nested for the parser: then code is only roughly blanked and links are missing. */
  parsed: boolean;
}

/** Reads CommonMark with GFM tables and footnotes; the parser decides what is code, not a regular expression. */
export function scanMarkdown(text: string): MarkdownScan {
  try {
    const tree = fromMarkdown(text, {
      extensions: [gfmTable(), gfmFootnote()],
      mdastExtensions: [gfmTableFromMarkdown(), gfmFootnoteFromMarkdown()],
    });
    return new Scanner(text, tree).scan();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return {
      prose: blankRoughly(text),
      links: [],
      definitions: new Map(),
      firstHeading: null,
      parsed: false,
    };
  }
}

function blankRoughly(text: string): string {
  return text.replace(/^(`{3,}|~{3,})[^]*?^\1|`[^`\n]*`/gm, (code) => '\0'.repeat(code.length));
}

class Scanner {
  private readonly blanks: [start: number, end: number][] = [];
  private readonly links: MarkdownLink[] = [];
  private readonly definitions = new Map<string, string>();
  private firstHeading: string | null = null;

  constructor(
    private readonly text: string,
    private readonly root: Root,
  ) {}

  scan(): MarkdownScan {
    this.collectDefinitions(this.root);
    this.visit(this.root);
    const { links, definitions, firstHeading } = this;
    return { prose: this.prose(), links, definitions, firstHeading, parsed: true };
  }

  private collectDefinitions(node: Nodes): void {
    if (node.type === 'definition') this.define(node);
    if ('children' in node) node.children.forEach((child) => this.collectDefinitions(child));
  }

  private define(node: Definition): void {
    const label = node.identifier.toLowerCase();
    if (!this.definitions.has(label)) this.definitions.set(label, node.url);
  }

  private visit(node: Nodes): void {
    const start = node.position?.start.offset ?? 0;
    const end = node.position?.end.offset ?? start;
    switch (node.type) {
      case 'code':
      case 'inlineCode':
      case 'html':
      case 'definition':
      case 'footnoteReference':
        this.blanks.push([start, end]);
        return;
      case 'image':
        this.blanks.push([start, end]);
        this.links.push({ url: node.url, text: node.alt ?? '', image: true, start, end });
        return;
      case 'imageReference':
        this.blanks.push([start, end]);
        this.link({ url: this.defined(node), text: node.alt ?? '', image: true, start, end });
        return;
      case 'link':
        this.blankAddress(node, start, end);
        this.link({ url: node.url, text: this.shown(node), image: false, start, end });
        break;
      case 'linkReference':
        // `[[note]]` beside a definition of `note` parses as a reference inside brackets; it is a wikilink.
        if (this.text[start - 1] === '[' && this.text[end] === ']' && node.referenceType === 'shortcut')
          return;
        this.blankAddress(node, start, end);
        this.link({ url: this.defined(node), text: this.shown(node), image: false, start, end });
        break;
      case 'heading':
        if (node.depth === 1) this.firstHeading ??= this.shown(node).trim() || null;
        break;
      default:
        break;
    }
    if ('children' in node) node.children.forEach((child) => this.visit(child));
  }

  private defined({ identifier }: { identifier: string }): string | undefined {
    return this.definitions.get(identifier.toLowerCase());
  }

  private link(link: Omit<MarkdownLink, 'url'> & { url: string | undefined }): void {
    if (link.url !== undefined) this.links.push({ ...link, url: link.url });
  }

  /** Keeps what the reader sees of a link and blanks the rest; all of `<https://…>`. */
  private blankAddress(node: Parents, start: number, end: number): void {
    const shownEnd = node.children.at(-1)?.position?.end.offset;
    this.blanks.push([this.text[start] === '<' ? start : (shownEnd ?? start), end]);
  }

  private shown(node: Nodes): string {
    if ('children' in node) return node.children.map((child) => this.shown(child)).join('');
    if (node.type === 'image') return node.alt ?? '';
    if (node.type === 'html') return '';
    return node.type === 'break' ? ' ' : 'value' in node ? node.value : '';
  }

  private prose(): string {
    const parts: string[] = [];
    let position = 0;
    for (const [start, end] of this.blanks.sort((a, b) => a[0] - b[0])) {
      if (end <= position) continue;
      parts.push(
        this.text.slice(position, Math.max(start, position)),
        '\0'.repeat(end - Math.max(start, position)),
      );
      position = end;
    }
    parts.push(this.text.slice(position));
    return parts.join('');
  }
}
