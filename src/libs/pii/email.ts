import type { Finding, Span } from './entities.js';
import { HOST_WITH_PATH, PLAIN_HOST } from './url.js';

/**
 * Letters that may belong to an address. Those of scripts written without spaces would drag the preceding
 * word into it.
 */
const LETTER =
  '(?![\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}])[\\p{L}\\p{M}\\u212E]';
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

/** A density of screens, as names of pictures have it: `logo@2x.design.png`. */
const DENSITY = /^\d(?:\.\d)?x\./i;

/** `@`, and its form in the query of a URL. */
const SIGNS = ['@', '%40'];

/**
 * Finds e-mail addresses, `[at]`/`(at)` spellings included. Work per `@` is bounded, so it is linear in the
 * text.
 */
export function* findEmails(text: string): Finding {
  for (const sign of SIGNS) {
    for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) {
      const span = addressAround(text, { start: at, end: at + sign.length });
      yield span ?? undefined;
    }
  }
  yield* spelledOut(text);
}

function addressAround(text: string, sign: Span): Span | null {
  const local = localPartBefore(text, sign.start);
  const domain = local === null ? null : domainAfter(text, sign.end);
  if (local === null || domain === null) return null;
  const end = sign.end + domain.length;
  // `git@github.com:owner/repository` is a repository, not a mailbox.
  if (/^(?:git|hg|svn)$/.test(local) && /^[:/]\S/.test(text.slice(end, end + 2))) return null;
  return { start: sign.start - local.length, end };
}

/** A quoted local part; the quotes are straight or typographic. */
const QUOTED = /["“„](?:[^"“”„\\\n]|\\[^\n]){1,62}["“”]$/;

function localPartBefore(text: string, at: number): string | null {
  const before = text.slice(Math.max(0, at - 64), at);
  if (/["“”]$/.test(before)) return QUOTED.exec(before)?.[0] ?? null;
  const local = LOCAL_PART.exec(before)?.[0].replace(/^[.'&-]+/, '');
  return !local || local.endsWith('.') ? null : local;
}

function domainAfter(text: string, start: number): string | null {
  const domain = DOMAIN.exec(text.slice(start, start + 255))?.[0].replace(/-+$/, '');
  const top = domain && topLevelOf(domain);
  if (!top) return null;
  return NO_TOP_LEVEL.has(top) ? domainInFileName(domain) : domain;
}

const topLevelOf = (domain: string): string | undefined => TOP_LEVEL.exec(domain)?.[0].slice(1).toLowerCase();

/** The domain in `jane@example.org.pdf`, before the endings of the file, if it has a usual last label. */
function domainInFileName(name: string): string | null {
  const labels = name.split('.');
  while (NO_TOP_LEVEL.has((labels.at(-1) as string).toLowerCase())) labels.pop();
  const domain = labels.join('.');
  const top = topLevelOf(domain);
  const isUsual = top !== undefined && (PLAIN_HOST.has(top) || HOST_WITH_PATH.has(top));
  return isUsual && !DENSITY.test(domain) ? domain : null;
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
