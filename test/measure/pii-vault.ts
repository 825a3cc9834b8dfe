import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LabelledSpan, type LabelledText } from './pii-corpus.js';

/** The real notes lie beside the repository, where they are at all. */
const VAULT = join(import.meta.dirname, '../../../shared/data/markdown-vault');

/**
 * What is an identifier in the vault, found by reading it: three mailboxes, an address to listen on, and three hosts
 * without a scheme; every `http(s)://…`. There are no telephone, card, security or account numbers in it.
 */
const MAILBOXES = ['jani.evakallio@gmail.com', 'riki.code+foam@gmail.com', 'example@gmail.com'];
const ADDRESSES = ['0.0.0.0'];
const HOSTS = ['[github.com/foambubble/foam-template]', '"http://enginveske@gmail.com"'];
const WITH_SCHEME = /https?:\/\/[^\s"'<>`)\]}|*\\]*[\w/=&-]/g;

export function labelledVault(): LabelledText[] | null {
  if (!existsSync(VAULT)) return null;
  return readdirSync(VAULT, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .map((text) => ({ text, spans: labelsOf(text) }));
}

function labelsOf(text: string): LabelledSpan[] {
  const spans: LabelledSpan[] = [...text.matchAll(WITH_SCHEME)].map((match) =>
    spanOf(match.index, match[0], 'url'),
  );
  for (const host of HOSTS)
    spans.push(...everyWhere(text, host).map((at) => spanOf(at + 1, host.slice(1, -1), 'url')));
  for (const mailbox of MAILBOXES)
    spans.push(...everyWhere(text, mailbox).map((at) => spanOf(at, mailbox, 'email')));
  for (const address of ADDRESSES)
    spans.push(...everyWhere(text, address).map((at) => spanOf(at, address, 'ip')));
  return spans;
}

function spanOf(start: number, text: string, entity: string): LabelledSpan {
  return { start, end: start + text.length, entity };
}

function everyWhere(text: string, part: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) places.push(at);
  return places;
}
