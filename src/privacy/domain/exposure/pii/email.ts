import type { Finding, Span } from './entities.js';

/** Letters of scripts written without spaces would drag the word before an address into it. */
const LETTER = '(?![\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}])[\\p{L}\\p{M}]';
const LOCAL_PART = new RegExp(`(?:${LETTER}|[\\d._%+'&-]){1,64}$`, 'u');
const DOMAIN = new RegExp(`^(?:${LETTER}|[\\d-]){1,63}(?:\\.(?:${LETTER}|[\\d-]){1,63}){1,8}`, 'u');
const TOP_LEVEL = /\.(?:xn--[a-z\d-]{2,59}|\p{L}[\p{L}\p{M}]{1,62})$/iu;

/** Endings of files and of systemd units: `photo@2x.png`, `getty@tty1.service`. */
const NO_TOP_LEVEL = new Set(
  (
    'png jpg jpeg gif svg webp avif ico bmp pdf js mjs cjs ts tsx jsx css scss html htm json yaml yml toml xml ' +
    'txt csv lock log gz tgz tar rb php java class jar exe dll service socket timer mount target slice'
  ).split(' '),
);

/** E-mail addresses, `[at]`/`(at)` spellings included. Work per `@` is bounded, so linear in the text. */
export function* findEmails(text: string): Finding {
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const span = addressAround(text, at);
    yield span ?? undefined;
  }
  yield* spelledOut(text);
}

function addressAround(text: string, at: number): Span | null {
  const local = LOCAL_PART.exec(text.slice(Math.max(0, at - 64), at))?.[0].replace(/^[.'&-]+/, '');
  if (!local || local.endsWith('.')) return null;
  let domain = DOMAIN.exec(text.slice(at + 1, at + 256))?.[0];
  if (!domain) return null;
  domain = domain.replace(/-+$/, '');
  const top = TOP_LEVEL.exec(domain)?.[0].slice(1).toLowerCase();
  if (!top || NO_TOP_LEVEL.has(top)) return null;
  const end = at + 1 + domain.length;
  // git@github.com:owner/repository is a place, not a mailbox
  if (/^(?:git|hg|svn)$/.test(local) && /^[:/]\S/.test(text.slice(end, end + 2))) return null;
  return { start: at - local.length, end };
}

const SPELLED_AT = /\s?[[({]\s?at\s?[\])}]\s?/gi;
const SPELLED_DOMAIN = /^[a-z\d-]{1,63}(?:(?:\.|\s?[[({]\s?dot\s?[\])}]\s?)[a-z\d-]{2,63}){1,5}/i;

function* spelledOut(text: string): Finding {
  for (const match of text.matchAll(SPELLED_AT)) {
    yield undefined;
    const local = /[\w.+-]{1,64}$/.exec(text.slice(Math.max(0, match.index - 64), match.index));
    const after = match.index + match[0].length;
    const domain = SPELLED_DOMAIN.exec(text.slice(after, after + 255));
    if (local && domain) yield { start: match.index - local[0].length, end: after + domain[0].length };
  }
}
