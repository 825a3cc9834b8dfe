import { isId } from '../../kernel/ids.js';
import { isEndOfStep, rest } from '../../kernel/slices.js';

/** The placeholder in archives for their account; an import replaces it by its own. */
export const ARCHIVED_OWNER = '00000000-0000-4000-8000-000000000000';

const ID = { pattern: /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, longest: 36 };

export interface CarriedName {
  /** The name in this account. */
  name: string;
  /** The name in archives. */
  carried_as: string;
}

type Exchange = (id: string) => string;

/**
 * Maps names that differ between an account and its archives: its own id, the ids of imported rows, and the URIs of
 * schemas that were already in use here. They are replaced in every part of a row, also in snapshots, rules and texts.
 */
export class NameMapping {
  /** The URIs as JSON texts. */
  private readonly uris: ReadonlyMap<string, string>;
  private readonly longest: number;

  private constructor(
    private readonly exchangeId: Exchange,
    uris: readonly [from: string, to: string][],
  ) {
    this.uris = new Map(uris.map(([from, to]) => [JSON.stringify(from), JSON.stringify(to)]));
    this.longest = Math.max(0, ...[...this.uris.keys()].map(({ length }) => length));
  }

  /** @param names also ids of schemas, which imports before ADR 33 kept as in the archive */
  static out(ownerId: string, names: readonly CarriedName[]): NameMapping {
    const pairs = names.map(({ name, carried_as }): [string, string] => [name, carried_as]);
    const ids = new Map([[ownerId, ARCHIVED_OWNER], ...pairs.filter(([name]) => isId(name))]);
    return new NameMapping(
      (id) => ids.get(id) ?? id,
      pairs.filter(([name]) => !isId(name)),
    );
  }

  /** @param renamed returns the id in this account for one of the archive's, in lower case */
  static in(ownerId: string, uris: readonly CarriedName[], renamed: Exchange): NameMapping {
    const exchangeId: Exchange = (id) => {
      const small = id.toLowerCase();
      if (small === ARCHIVED_OWNER) return ownerId;
      const other = renamed(small);
      return other === small ? id : other;
    };
    return new NameMapping(
      exchangeId,
      uris.map(({ name, carried_as }) => [carried_as, name]),
    );
  }

  /**
   * The JSON text of a row, with the other side's names in it. Others are served between the pieces of a long
   * one.
   */
  async exchange(line: string): Promise<string> {
    // No id may hide in a spelling that the parser reads and the pattern does not.
    const plain = line.includes('\\u00') ? await replaced(line, ESCAPE) : line;
    const text = await replaced(plain, { ...ID, by: this.exchangeId });
    return this.uris.size === 0 ? text : this.withUris(text);
  }

  /** One pass, for any number of names and any length of texts. */
  private async withUris(text: string): Promise<string> {
    let done = '';
    let from = 0;
    let index = 0;
    for (let start = text.indexOf('"'); start !== -1;) {
      if (isEndOfStep(index++)) await rest();
      const end = endOfText(text, start);
      const other = end - start > this.longest ? undefined : this.uris.get(text.slice(start, end));
      if (other !== undefined) {
        done += text.slice(from, start) + other;
        from = end;
      }
      start = text.indexOf('"', end);
    }
    return done + text.slice(from);
  }
}

/** The most characters that are exchanged without a pause. */
const PIECE = 64 * 1024;

interface Replacement {
  pattern: RegExp;
  /** The most characters that the pattern matches. */
  longest: number;
  by: (match: string, group?: string) => string;
}

/** The same as `replace`, piece by piece; a match that begins in one piece may end in the next. */
async function replaced(text: string, { pattern, longest, by }: Replacement): Promise<string> {
  if (text.length <= PIECE) return text.replace(pattern, by);
  const parts: string[] = [];
  for (let from = 0; from < text.length;) {
    await rest();
    const piece = text.slice(from, from + PIECE + longest - 1);
    let done = 0;
    for (const match of piece.matchAll(pattern)) {
      if (match.index >= PIECE) break;
      parts.push(piece.slice(done, match.index), by(match[0], match[1]));
      done = match.index + match[0].length;
    }
    const end = Math.max(done, Math.min(PIECE, piece.length));
    parts.push(piece.slice(done, end));
    from += end;
  }
  return parts.join('');
}

/** A character of an id in JSON's alternative spelling, or any other escape. */
const ESCAPE: Replacement = {
  pattern: /\\(?:u00(2d|3\d|[46][1-6])|[^])/gi,
  longest: 6,
  by: (escape, code) => (code === undefined ? escape : String.fromCharCode(parseInt(code, 16))),
};

/** The position after the quotation mark that ends a JSON text; the end for text that is not JSON. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
  return text.length;
}
