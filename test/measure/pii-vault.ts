import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PiiEntity } from '../../src/libs/pii/entities.js';
import { type LabelledSpan, type LabelledText } from './pii-corpus.js';

interface Vault {
  name: string;
  folder: string;
  /** Personal data in it except `http(s)://…`, found by reading it. */
  marked: Partial<Record<PiiEntity, readonly string[]>>;
  /** Hosts without a scheme, with the letters around them. */
  hosts: readonly string[];
}

/** The vault of the tests. */
const OWN: Vault = {
  name: 'the fixtures',
  folder: join(import.meta.dirname, '../fixtures/vault'),
  marked: {
    email: ['workshop@lindqvist.example.com', 'haas@clinic.example.org', 'tomas@neighbours.example.net'],
    iban: ['DE89 3704 0044 0532 0130 00'],
    credit_card: ['4111 1111 1111 1111'],
    phone: ['+44 20 7946 0958', '+44 20 7946 0111'],
  },
  hosts: [],
};
/** Real notes, which may lie beside the repository. There are no telephone, card, security or account numbers in them. */
const BESIDE: Vault = {
  name: 'real notes',
  folder: join(import.meta.dirname, '../../../shared/data/markdown-vault'),
  marked: {
    email: ['jani.evakallio@gmail.com', 'riki.code+foam@gmail.com', 'example@gmail.com'],
    ip: ['0.0.0.0'],
  },
  hosts: ['[github.com/foambubble/foam-template]', '"http://enginveske@gmail.com"'],
};
const WITH_SCHEME = /https?:\/\/[^\s"'<>`)\]}|*\\]*[\w/=&-]/g;

export const VAULTS: readonly Vault[] = [OWN, BESIDE].filter(({ folder }) => existsSync(folder));

export const labelled = (vault: Vault): LabelledText[] =>
  readdirSync(vault.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .map((text) => ({ text, spans: labelsOf(text, vault) }));

function labelsOf(text: string, { marked, hosts }: Vault): LabelledSpan[] {
  const spans: LabelledSpan[] = [...text.matchAll(WITH_SCHEME)].map((match) =>
    spanOf(match.index, match[0], 'url'),
  );
  for (const host of hosts)
    spans.push(...everyWhere(text, host).map((at) => spanOf(at + 1, host.slice(1, -1), 'url')));
  for (const [entity, parts] of Object.entries(marked))
    for (const part of parts) spans.push(...everyWhere(text, part).map((at) => spanOf(at, part, entity)));
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
