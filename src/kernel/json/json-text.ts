import { atOnce, Slices, type Steps } from '../slices.js';

/** The bounds of a JSON text: they keep short the time in which its parser and its readers hold the event loop. */
export interface JsonBounds {
  levels: number;
  values: number;
  /** The names of members: distinct ones cost a parser the most. */
  names: number;
  /** The bytes with all numbers written without exponents, as the database writes them. */
  plainBytes: number;
}

/** The contents of a text, counted before it is parsed. */
export interface JsonCounts {
  values: number;
  /** Objects and arrays. */
  containers: number;
}

/** Called with the counts of a text within the bounds, before it is parsed; throws to refuse it. */
export type AdmitJson = (counts: JsonCounts) => void;

/** The depth limit: a recursive reader can walk it, and no field allows as many levels. */
const LEVELS = 100;
const MIB = 1024 * 1024;

/** Bounds for the body of a request: the largest batch of embeddings has 409,600 values (rule 11.4d). */
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
export function parseJson(text: string, bounds: JsonBounds = BODY_BOUNDS, admit?: AdmitJson): unknown {
  atOnce(refuseBeyond(text, bounds, admit));
  return parsed(text);
}

/** Shorter texts are parsed in less time than a slice of work. */
const LONG_CHARACTERS = 65_536;

/** The same for a text of any length: a long one in slices between which others are served (rule 11.9f). */
export const parseJsonInSlices = (text: string, bounds: JsonBounds, admit?: AdmitJson): unknown =>
  text.length < LONG_CHARACTERS ? parseJson(text, bounds, admit) : parseLongJson(text, bounds, admit);

/** The same in slices, for long texts. */
export const parseLongJson = (
  text: string,
  bounds: JsonBounds = BODY_BOUNDS,
  admit?: AdmitJson,
): Promise<unknown> => new Slices(Infinity).run(longValue(text, bounds, admit));

function* longValue(text: string, bounds: JsonBounds, admit?: AdmitJson): Steps<unknown> {
  const long = yield* refuseBeyond(text, bounds, admit);
  yield undefined;
  const value = yield* new JsonPieces(text, long).value({ from: 0, to: text.length });
  yield undefined;
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable();
  }
}

const unreadable = (): RefusedJson => new RefusedJson('is not readable JSON', false);

/** A part of a text, without its last position. */
interface Span {
  from: number;
  to: number;
}

/** Parses a text in pieces of about LONG_CHARACTERS: neighbouring short members of a container together. */
class JsonPieces {
  /** @param long the last position of each long container, by its first one */
  constructor(
    private readonly text: string,
    private readonly long: ReadonlyMap<number, number>,
  ) {}

  *value({ from, to }: Span): Steps<unknown> {
    const open = this.afterBlanks(from);
    const close = this.long.get(open);
    if (close === undefined) return parsed(this.text.slice(from, to));
    const isList = this.text.charCodeAt(open) === OPEN_ARRAY;
    if (this.text.charCodeAt(close) !== (isList ? CLOSE_ARRAY : CLOSE_OBJECT)) throw unreadable();
    if (this.afterBlanks(close + 1) < to) throw unreadable();
    const members = isList ? new ListMembers() : new ObjectMembers();
    if (this.afterBlanks(open + 1) < close) yield* this.fill(members, { from: open + 1, to: close });
    return members.whole;
  }

  private *fill(members: ListMembers | ObjectMembers, { from, to }: Span): Steps<void> {
    let [start, member] = [from, from];
    for (;;) {
      const end = this.endOfMember(member, to);
      if (end - member > LONG_CHARACTERS) {
        if (member > start) members.add(this.text.slice(start, member - 1));
        yield undefined;
        const at = members.isList ? member : this.endOfKey(member);
        const key = members.isList ? '' : this.text.slice(member, at - 1);
        members.addOne(key, yield* this.value({ from: at, to: end }));
        start = end + 1;
      } else if (end === to || end - start > LONG_CHARACTERS) {
        members.add(this.text.slice(start, end));
        yield undefined;
        start = end + 1;
      }
      if (end >= to) return;
      member = end + 1;
    }
  }

  /** The position of the comma behind a member, or the end of its container. */
  private endOfMember(start: number, to: number): number {
    let levels = 0;
    for (let at = start; at < to; at++) {
      const code = this.text.charCodeAt(at);
      if (code === QUOTE) at = endOfText(this.text, at);
      else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
        const close = this.long.get(at);
        if (close === undefined) levels++;
        else at = close;
      } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) levels--;
      else if (code === COMMA && levels === 0) return at;
    }
    return to;
  }

  /** The position behind the colon of a member. */
  private endOfKey(member: number): number {
    const quote = this.afterBlanks(member);
    const colon = this.afterBlanks(endOfText(this.text, quote) + 1);
    if (this.text.charCodeAt(quote) !== QUOTE || this.text.charCodeAt(colon) !== COLON) throw unreadable();
    return colon + 1;
  }

  private afterBlanks(from: number): number {
    let at = from;
    while (BLANKS.has(this.text.charCodeAt(at))) at++;
    return at;
  }
}

/** The members of a container, added as pieces of text with at least one, and long ones one by one. */
class ListMembers {
  readonly isList = true;
  readonly whole: unknown[] = [];

  add(piece: string): void {
    const values = parsed(`[${piece}]`) as unknown[];
    if (values.length === 0) throw unreadable();
    for (const value of values) this.whole.push(value);
  }

  addOne(_key: string, value: unknown): void {
    this.whole.push(value);
  }
}

class ObjectMembers {
  readonly isList = false;
  readonly whole: Record<string, unknown> = {};
  private count = 0;

  add(piece: string): void {
    const values = parsed(`{${piece}}`) as Record<string, unknown>;
    const keys = Object.keys(values);
    if (keys.length === 0) throw unreadable();
    // The engine lists all keys of an object in one go, and no body can bring more.
    if ((this.count += keys.length) > BODY_BOUNDS.names) throw tooMany(BODY_BOUNDS.names, 'names');
    for (const key of keys) this.set(key, values[key]);
  }

  addOne(key: string, value: unknown): void {
    this.set(parsed(key) as string, value);
  }

  /** An assignment to `__proto__` would set the prototype; the parser makes it a key like others. */
  private set(key: string, value: unknown): void {
    if (key !== '__proto__') this.whole[key] = value;
    else
      Object.defineProperty(this.whole, key, { value, enumerable: true, configurable: true, writable: true });
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
/** The white space of JSON. */
const BLANKS: ReadonlySet<number> = new Set([SPACE, 0x09, 0x0a, 0x0d]);
const E = 0x45;
const SMALL_E = 0x65;
const EXPONENT = /[-+]?(\d+)/y;

/** Counts, and returns the last position of each container that is long, by its first one. */
function* refuseBeyond(text: string, bounds: JsonBounds, admit?: AdmitJson): Steps<Map<number, number>> {
  const long = new Map<number, number>();
  const opened: number[] = [];
  let values = 1;
  let containers = 0;
  let names = 0;
  let before = 0;
  let saved = 0;
  let pause = LONG_CHARACTERS;
  for (let at = 0; at < text.length; at++) {
    if (at >= pause) {
      yield undefined;
      pause = at + LONG_CHARACTERS;
    }
    const code = text.charCodeAt(at);
    if (code <= SPACE) continue;
    if (code === QUOTE) at = endOfText(text, at);
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      if (opened.push(at) > bounds.levels) throw tooMany(bounds.levels, 'levels');
      containers++;
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
      const open = opened.pop();
      if (open !== undefined && at - open > LONG_CHARACTERS) long.set(open, at);
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
  admit?.({ values, containers });
  return long;
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
