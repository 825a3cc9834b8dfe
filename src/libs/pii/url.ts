import type { Finding } from './entities.js';

const SCHEME = /(?<![\p{L}\d])[a-z][a-z\d+.-]{1,24}$/iu;
/** Text up to a space, a quote, an angle bracket or an East Asian punctuation mark. */
const TAIL = /[^\s<>"`|\\^“”‘’«»„、。，；：！？（）「」『』【】《》\u0000-\u001f]*/uy;

/**
 * Last labels by which a host without a scheme counts by itself. Names of files and members of objects look
 * the same (`README.md`, `user.id`), so the label decides.
 */
export const PLAIN_HOST = new Set(
  (
    'com org net edu gov mil eu uk us ca de fr es it nl be ch at se dk fi no pl cz sk hu ro bg gr pt ie ru ua by ' +
    'tr il ae sa cn jp kr tw hk sg th vn ph au nz za ng ke eg ma br ar mx cl pe ve uy lu li lt lv ee hr si ba ' +
    'ge kz pk np io ai co tv info biz xyz online shop blog tech cloud рф'
  ).split(' '),
);
/** Last labels by which a host counts only with a path after it. */
export const HOST_WITH_PATH = new Set(
  (
    'me in is id my to so ly do gl gg fm am ws cc sh dev app site website store page link club live news media ' +
    'design art space wiki fun world life today email digital agency studio works social network community ' +
    'photography name pro museum aero coop jobs travel tel cat asia'
  ).split(' '),
);
/** `it.ch`, `this.at`: too short for a registered name, or a word of programs. */
const CODE = /^(?:[^.]{1,2}|this|self|exports|options|console|window|args|argv)\.[a-z]{2,4}$/i;
const HOST =
  /(?<![\p{L}\p{M}\d@_\\/.-])(?:[\p{L}\d](?:[\p{L}\p{M}\d-]{0,62})\.){1,6}(?:xn--[a-z\d-]{2,59}|\p{L}{2,24})(?![\p{L}\p{M}\d_-])/giu;

/**
 * Finds addresses of the web and of other schemes (`scheme://…`), `www.…`, and hosts with a usual last label.
 */
export function* findUrls(text: string): Finding {
  yield* withScheme(text);
  yield* withoutScheme(text);
}

function* withScheme(text: string): Finding {
  let from = 0;
  for (let mark = text.indexOf('://'); mark >= 0; mark = text.indexOf('://', Math.max(mark + 3, from))) {
    yield undefined;
    const scheme = SCHEME.exec(text.slice(Math.max(0, mark - 26), mark));
    if (!scheme) continue;
    const start = mark - scheme[0].length;
    const end = trimmed(text, start, tailFrom(text, mark + 3));
    if (end <= mark + 3) continue;
    from = end;
    yield { start, end };
  }
}

function* withoutScheme(text: string): Finding {
  for (const match of text.matchAll(HOST)) {
    yield undefined;
    const start = match.index;
    const host = match[0];
    const after = start + host.length;
    const isCall = text[after] === '(' || text[after] === '@';
    const path = /^(?::\d{2,5}(?!\d))?[/?#]/.test(text.slice(after, after + 7));
    if (isCall || !isHost(host, path)) continue;
    yield { start, end: path ? trimmed(text, start, tailFrom(text, after)) : after };
  }
}

function isHost(host: string, path: boolean): boolean {
  if (/^www\d?\./i.test(host)) return true;
  const last = host.slice(host.lastIndexOf('.') + 1);
  if (last !== last.toLowerCase() || (!path && CODE.test(host))) return false;
  return PLAIN_HOST.has(last) || (path && HOST_WITH_PATH.has(last));
}

function tailFrom(text: string, position: number): number {
  TAIL.lastIndex = position;
  return position + (TAIL.exec(text)?.[0].length ?? 0);
}

/** The end without the sentence's punctuation, and before a bracket that closes one opened outside. */
function trimmed(text: string, start: number, end: number): number {
  let last = beforeUnopened(text, start, end);
  while (last > start) {
    const char = text[last - 1]!;
    if (char === '_' ? text[start - 1] !== '_' : !/[.,;:!?'*~…([{]/.test(char)) break;
    last -= 1;
  }
  return last;
}

/** The position of the first closing bracket that was not opened inside, as in `[text](https://…)more`. */
function beforeUnopened(text: string, start: number, end: number): number {
  const depth: Record<string, number> = { ')': 0, ']': 0, '}': 0 };
  for (let index = start; index < end; index += 1) {
    const char = text[index]!;
    if (char === '(') depth[')']! += 1;
    else if (char === '[') depth[']']! += 1;
    else if (char === '{') depth['}']! += 1;
    else if (char in depth && (depth[char]! -= 1) < 0) return index;
  }
  return end;
}
