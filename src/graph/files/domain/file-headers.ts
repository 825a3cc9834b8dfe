import { withoutUnseen } from '../../../kernel/text/unseen-characters.js';

/** Part of a file: first and last byte, both included. */
export interface FileRange {
  start: number;
  end: number;
}

const SPEC = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * The range that a Range header requests (RFC 9110, 14.1.2 and 14.2). Null: the whole file, also for
 * unreadable headers, other units, and several ranges at once.
 */
export function rangeAsked(header: string | undefined, size: number): FileRange | null | 'unsatisfiable' {
  const [, first, last] = SPEC.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  const [from, to] = [Number(first), Number(last)];
  if (first === '')
    return to === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(size - to, 0), end: size - 1 };
  if (last !== '' && to < from) return null;
  if (from >= size) return 'unsatisfiable';
  return { start: from, end: last === '' ? size - 1 : Math.min(to, size - 1) };
}

/**
 * A Content-Disposition that saves the file under this name (RFC 6266; characters beyond ASCII by RFC
 * 8187). Parts that could lead to another place on the recipient's disk are removed, and characters that
 * are invisible or change the order of others become `_`: `photo\u202Egpj.exe` would read as a picture.
 * Null: no name.
 */
export function attachmentNamed(name: string | null): string {
  const base = withoutUnseen(name?.split(/[/\\]/).at(-1) ?? '', '_');
  if (base === '') return 'attachment';
  const ascii = base.replace(/[^\x20-\x7e]/gu, '_').replace(/["%]/g, '_');
  const plain = `attachment; filename="${ascii}"`;
  if (ascii === base) return plain;
  const encoded = encodeURIComponent(base).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${plain}; filename*=UTF-8''${encoded}`;
}
