import { type Moment } from '../../privacy/index.js';
import {
  type Base,
  lastMomentOf,
  lowestKey,
  PART_NAMES,
  type PartName,
  type Parts,
  partsOf,
  type Pass,
  type PassOrder,
  type Progress,
  progressesOf,
  reachedBy,
  type Replica,
  type Seam,
  turnsOf,
} from './replica.js';

/** The version of the format. It rises with each change, and older formats stay readable. */
const FORM = 4;
/** The same with parts beside nodes; replicas without any are written as before. */
const FORM_WITH_PARTS = 5;
/** The version without the moment up to which everything is shown alike. */
const FORM_WITHOUT_ALIKE = 3;
/** Versions without the reading, for passes in the order of last changes and in that of creation. */
const OLDER_FORM = 1;
const OLDER_FORM_BY_CREATION = 2;
const HAS_BASE = 1;
const HAS_PASS = 2;
/** The number of the last entry, and padding zeros. Older cursors have neither. */
const HAS_COUNT = 4;
const BASE_BY_CREATION = 8;
const PASS_BY_CREATION = 16;

/** The room for numbers besides seams, and for each page of another moment than the one before. */
const PLAIN_ROOM = 56;
const TURN_ROOM = 8;

/**
 * A replica in few bytes: numbers in groups of seven bits, seams as differences. A cursor of a quiet graph has about
 * ten bytes; every page of a pass before which something was changed that the caller is shown adds four.
 */
export function toBytes(replica: Replica): Buffer {
  const { counted, reading } = replica;
  const names = partsOf(replica);
  const bytes: number[] = [names.length === 0 ? FORM : FORM_WITH_PARTS, flagsOf(replica) | HAS_COUNT];
  write(bytes, reading);
  writeProgress(bytes, replica);
  write(bytes, counted);
  if (names.length > 0) write(bytes, names.length);
  for (const name of names) {
    const part = replica.parts[name] as Progress;
    bytes.push(PART_NAMES.indexOf(name), flagsOf(part));
    writeProgress(bytes, part);
  }
  return Buffer.from(bytes);
}

const flagsOf = ({ base, pass }: Progress): number =>
  (base ? HAS_BASE : 0) |
  (pass ? HAS_PASS : 0) |
  (base?.order === 'creation' ? BASE_BY_CREATION : 0) |
  (pass?.order === 'creation' ? PASS_BY_CREATION : 0);

function writeProgress(bytes: number[], { base, pass }: Progress): void {
  if (base) writeBase(bytes, base);
  if (pass === null) return;
  writeBase(bytes, pass);
  write(bytes, pass.reached - lowestKey(pass));
  const last = lastMomentOf(pass);
  write(bytes, pass.alike.changes - last.changes);
  write(bytes, pass.alike.app - last.app);
}

/**
 * The same, padded with zeros to a multiple of a size by the number of pages before which something shown was changed:
 * the length must not reveal hidden changes, nor the numbers that they move.
 */
export function toPaddedBytes(replica: Replica, size: number): Buffer {
  const bytes = toBytes(replica);
  const progresses = progressesOf(replica);
  const turns = progresses
    .flatMap(({ base, pass }) => [base, pass])
    .reduce((sum, base) => sum + (base === null ? 0 : turnsOf(base)), 0);
  const room = Math.max(bytes.length, PLAIN_ROOM * progresses.length + TURN_ROOM * turns);
  return Buffer.concat([bytes, Buffer.alloc(Math.ceil(room / size) * size - bytes.length)]);
}

/** @returns null for bytes in another format */
export function fromBytes(bytes: Uint8Array): Replica | null {
  const reader = new Reader(bytes);
  try {
    const form = reader.number();
    const flags = reader.number();
    const byCreation = flags & (BASE_BY_CREATION | PASS_BY_CREATION);
    const older = byCreation === 0 ? OLDER_FORM : OLDER_FORM_BY_CREATION;
    if (![FORM_WITH_PARTS, FORM, FORM_WITHOUT_ALIKE, older].includes(form)) return null;
    const reading = form === older ? 0 : reader.number();
    const nodes = readProgress(reader, flags, form);
    const counted = flags & HAS_COUNT ? reader.number() : reachedBy(nodes);
    const parts = form === FORM_WITH_PARTS ? readParts(reader) : {};
    const isWhole = flags & HAS_COUNT ? reader.isZeroToTheEnd : reader.isAtEnd;
    return isWhole ? { ...nodes, parts, counted, reading } : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function readParts(reader: Reader): Parts {
  const parts: Partial<Record<PartName, Progress>> = {};
  for (let count = reader.number(); count > 0; count--) {
    const name = PART_NAMES[reader.number()];
    if (name === undefined) throw new RangeError('not a part');
    parts[name] = readProgress(reader, reader.number(), FORM_WITH_PARTS);
  }
  return parts;
}

function readProgress(reader: Reader, flags: number, form: number): Progress {
  const base = flags & HAS_BASE ? readBase(reader, orderOf(flags & BASE_BY_CREATION)) : null;
  const pass = flags & HAS_PASS ? readPass(reader, orderOf(flags & PASS_BY_CREATION), form) : null;
  return { base, pass };
}

const orderOf = (isByCreation: number): PassOrder => (isByCreation === 0 ? 'last change' : 'creation');

function writeBase(bytes: number[], { order, start, end, seams }: Base): void {
  [start, end.changes, end.app, seams.length].forEach((number) => write(bytes, number));
  let before: Seam = { upTo: lowestKey({ order, start }), at: end };
  for (const seam of seams) {
    write(bytes, seam.upTo - before.upTo);
    write(bytes, seam.at.changes - before.at.changes);
    write(bytes, seam.at.app - before.at.app);
    before = seam;
  }
}

function readBase(reader: Reader, order: PassOrder): Base {
  const start = reader.number();
  const end: Moment = { changes: reader.number(), app: reader.number() };
  const seams: Seam[] = [];
  let before: Seam = { upTo: lowestKey({ order, start }), at: end };
  for (let count = reader.number(); count > 0; count--) {
    const upTo = before.upTo + reader.number();
    const at = { changes: before.at.changes + reader.number(), app: before.at.app + reader.number() };
    seams.push((before = { upTo, at }));
  }
  return { order, start, end, seams };
}

function readPass(reader: Reader, order: PassOrder, form: number): Pass {
  const base = readBase(reader, order);
  const reached = lowestKey(base) + reader.number();
  const last = lastMomentOf(base);
  if (form !== FORM && form !== FORM_WITH_PARTS) return { ...base, reached, alike: last };
  const alike = { changes: last.changes + reader.number(), app: last.app + reader.number() };
  return { ...base, reached, alike };
}

function write(bytes: number[], number: number): void {
  let rest = number;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}

class Reader {
  private position = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.position === this.bytes.length;
  }

  get isZeroToTheEnd(): boolean {
    return this.bytes.subarray(this.position).every((byte) => byte === 0);
  }

  /** @throws RangeError past the end */
  number(): number {
    let number = 0;
    for (let weight = 1; ; weight *= 128) {
      const byte = this.bytes[this.position++];
      if (byte === undefined || weight > Number.MAX_SAFE_INTEGER / 128) throw new RangeError('not a number');
      number += (byte % 128) * weight;
      if (byte < 128) return number;
    }
  }
}
