import { parseDocument } from 'yaml';
import { jsonBytes } from '../kernel/json/json-size.js';
import { cleanJson, depthOf } from './clean-text.js';

export interface FrontMatter {
  properties: Record<string, unknown>;
  /** The text after the front matter, in which titles, tags and links are found. */
  body: string;
  /**
   * The stored text of the note: the body, or everything when the front matter could not become properties.
   */
  kept: string;
  /** The reason why it could not, for the report. */
  problem: string | null;
}

const OPENING = /^---[ \t]*\n/;
const CLOSING = /^(?:---|\.\.\.)[ \t]*$/m;
/**
 * Well below the service's 256 KiB and 32 levels, so that the data recorded beside the properties fits too.
 */
const MAX_BYTES = 128 * 1024;
const MAX_DEPTH = 28;

/**
 * Takes the YAML block off the top of a note. Nothing is lost: anything but a usable YAML mapping stays in
 * the text.
 */
export function splitFrontMatter(text: string): FrontMatter {
  const opening = OPENING.exec(text);
  const rest = opening ? text.slice(opening[0].length) : '';
  const closing = opening ? CLOSING.exec(rest) : null;
  if (!opening || !closing) return { properties: {}, body: text, kept: text, problem: null };
  const body = rest.slice(closing.index + closing[0].length).replace(/^\n+/, '');
  const read = readYaml(rest.slice(0, closing.index));
  // Two horizontal rules around ordinary text look like front matter but hold no mapping: that is the note itself.
  if (read.kind === 'text') return { properties: {}, body: text, kept: text, problem: null };
  if (read.kind === 'unusable') return { properties: {}, body, kept: text, problem: read.problem };
  return { properties: read.properties, body, kept: body, problem: null };
}

type Yaml =
  | { kind: 'properties'; properties: Record<string, unknown> }
  | { kind: 'unusable'; problem: string }
  | { kind: 'text' };

function readYaml(yaml: string): Yaml {
  let value: unknown;
  try {
    const document = parseDocument(yaml, { intAsBigInt: true, logLevel: 'silent' });
    const error = document.errors[0];
    if (error) return { kind: 'unusable', problem: error.message.split('\n')[0] ?? 'unreadable YAML' };
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    return { kind: 'unusable', problem: error instanceof Error ? error.message : 'unreadable YAML' };
  }
  if (value === null || value === undefined) return { kind: 'properties', properties: {} };
  if (typeof value !== 'object' || Array.isArray(value)) return { kind: 'text' };
  if (depthOf(value) > MAX_DEPTH) return { kind: 'unusable', problem: `nested deeper than ${MAX_DEPTH}` };
  const properties = cleanJson(value) as Record<string, unknown>;
  const bytes = jsonBytes(properties);
  if (bytes > MAX_BYTES) return { kind: 'unusable', problem: `${bytes} bytes of properties are too many` };
  return { kind: 'properties', properties };
}

const CREATED = ['created', 'created_at', 'date created', 'date-created', 'datecreated', 'date'];
const UPDATED = [
  'updated',
  'updated_at',
  'modified',
  'last_modified',
  'lastmod',
  'date modified',
  'date-modified',
];

/** The dates that the properties state, by the spellings in use among note-taking programs. */
export function datesOf(properties: Record<string, unknown>): { created: Date | null; updated: Date | null } {
  const lower = new Map(Object.entries(properties).map(([key, value]) => [key.toLowerCase(), value]));
  const first = (names: string[]): Date | null =>
    names.map((name) => readDate(lower.get(name))).find((date) => date !== null) ?? null;
  return { created: first(CREATED), updated: first(UPDATED) };
}

const DATE =
  /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i;

/** An ISO-like date, with or without time; without an offset it is read as UTC, so that every machine agrees. */
function readDate(value: unknown): Date | null {
  const match = typeof value === 'string' ? DATE.exec(value.trim()) : null;
  if (!match) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0', zone = 'Z'] = match;
  const part = (text = '0'): string => text.padStart(2, '0');
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`;
  const iso = `${year}-${part(month)}-${part(day)}T${part(hour)}:${part(minute)}:${part(second)}.${fraction.padEnd(3, '0').slice(0, 3)}${offset}`;
  const date = new Date(iso);
  // `new Date` turns 31 February into a day of March on some inputs: the day must come back as written.
  const rolled =
    new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day);
  return Number.isNaN(date.getTime()) || rolled ? null : date;
}
