import { rest } from './slices.js';

/** The bounds of a JSON text: they keep short the time in which its parser and its readers hold the event loop. */
export interface JsonBounds {
  levels: number;
  values: number;
  /** The names of members: distinct ones cost a parser the most. */
  names: number;
  /** The bytes with all numbers written without exponents, as the database writes them. */
  plainBytes: number;
}

/** The depth limit: a recursive reader can walk it, and no field allows as many levels. */
const LEVELS = 100;
const MIB = 1024 * 1024;

/** Bounds for the body of a request: the largest batch of embeddings has 409,600 values. */
export const BODY_BOUNDS: JsonBounds = {
  levels: LEVELS,
  values: 500_000,
  names: 100_000,
  plainBytes: 8 * MIB,
};

/** Bounds for a row of an archive: a change has the metadata of its node up to three times. */
export const ROW_BOUNDS: JsonBounds = {
  levels: LEVELS,
  values: 1_000_000,
  names: 300_000,
  plainBytes: 16 * MIB,
};

/** A refused JSON text; the message is for the caller and names no field. */
export class RefusedJson extends Error {
  constructor(
    message: string,
    readonly isReadable: boolean,
  ) {
    super(message);
    this.name = 'RefusedJson';
  }
}

/**
 * The value of a JSON text from a caller. Levels, values and names are counted in one pass before the parser runs: it
 * needs seconds and a gigabyte for eight megabytes of brackets.
 * @throws RefusedJson beyond the bounds, readable or not; within them, where the text is not JSON
 */
export function parseJson(text: string, bounds: JsonBounds = BODY_BOUNDS): unknown {
  refuseBeyond(text, bounds);
  return parsed(text);
}

/** Shorter texts are parsed in less time than a slice of work. */
const LONG_CHARACTERS = 65_536;

/** The same for a text of any length: a long one with pauses between the passes. */
export const parseJsonInSlices = (text: string, bounds: JsonBounds): unknown =>
  text.length < LONG_CHARACTERS ? parseJson(text, bounds) : parseLongJson(text, bounds);

/** The same with pauses between the passes, for long texts. */
export async function parseLongJson(text: string, bounds: JsonBounds = BODY_BOUNDS): Promise<unknown> {
  await rest();
  refuseBeyond(text, bounds);
  await rest();
  const value = parsed(text);
  await rest();
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RefusedJson('is not readable JSON', false);
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;
const E = 0x45;
const SMALL_E = 0x65;
const EXPONENT = /[-+]?(\d+)/y;

function refuseBeyond(text: string, bounds: JsonBounds): void {
  let levels = 0;
  let values = 1;
  let names = 0;
  let before = 0;
  let saved = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= SPACE) continue;
    if (code === QUOTE) at = endOfText(text, at);
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      if (++levels > bounds.levels) throw tooMany(bounds.levels, 'levels');
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
      levels--;
      // An empty one has no value in it; any other has one more than commas.
      if (before !== OPEN_ARRAY && before !== OPEN_OBJECT) values++;
    } else if (code === COMMA) values++;
    else if (code === COLON) names++;
    else if ((code === E || code === SMALL_E) && isDigit(before)) saved += exponentAt(text, at + 1);
    if (values > bounds.values) throw tooMany(bounds.values, 'values');
    if (names > bounds.names) throw tooMany(bounds.names, 'names');
    before = code;
  }
  if (saved > 0 && Buffer.byteLength(text) + saved > bounds.plainBytes)
    throw tooMany(bounds.plainBytes, 'plainBytes');
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** At least the bytes that an exponent saves; larger ones end as null or 0. */
const MOST_SAVED = 400;

function exponentAt(text: string, start: number): number {
  EXPONENT.lastIndex = start;
  return Math.min(Number(EXPONENT.exec(text)?.[1] ?? 0), MOST_SAVED);
}

/** The position of the closing quotation mark; the end of the text if it is missing. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
  return text.length;
}

const COUNTED: Readonly<Record<keyof JsonBounds, string>> = {
  levels: 'levels',
  values: 'values',
  names: 'names',
  plainBytes: 'bytes with its numbers written without exponents',
};

const tooMany = (most: number, counted: keyof JsonBounds): RefusedJson =>
  new RefusedJson(`must have at most ${most} ${COUNTED[counted]}`, true);
