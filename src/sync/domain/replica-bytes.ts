import { type Moment } from '../../privacy/index.js';
import {
  type Base,
  lowestKey,
  type Pass,
  type PassOrder,
  reachedBy,
  type Replica,
  type Seam,
} from './replica.js';

/** The version of the format. It rises with each change, and older formats stay readable. */
const FORM = 3;
/** Versions without the reading, for passes in the order of last changes and in that of creation. */
const OLDER_FORM = 1;
const OLDER_FORM_BY_CREATION = 2;
const HAS_BASE = 1;
const HAS_PASS = 2;
/** The number of the last entry, and padding zeros. Older cursors have neither. */
const HAS_COUNT = 4;
const BASE_BY_CREATION = 8;
const PASS_BY_CREATION = 16;

/**
 * A replica in few bytes: numbers in groups of seven bits, seams as differences. A cursor of a quiet graph has about
 * ten bytes; every page of a pass during which the graph changed adds four.
 */
export function toBytes({ base, pass, counted, reading }: Replica): Buffer {
  const orders =
    (base?.order === 'creation' ? BASE_BY_CREATION : 0) | (pass?.order === 'creation' ? PASS_BY_CREATION : 0);
  const parts = (base ? HAS_BASE : 0) | (pass ? HAS_PASS : 0) | HAS_COUNT | orders;
  const bytes: number[] = [FORM, parts];
  write(bytes, reading);
  if (base) writeBase(bytes, base);
  if (pass) {
    writeBase(bytes, pass);
    write(bytes, pass.reached - lowestKey(pass));
  }
  write(bytes, counted);
  return Buffer.from(bytes);
}

/** The same, padded with zeros to a multiple of a size: the length must not reveal numbers of hidden changes. */
export function toPaddedBytes(replica: Replica, size: number): Buffer {
  const bytes = toBytes(replica);
  return Buffer.concat([bytes, Buffer.alloc((size - (bytes.length % size)) % size)]);
}

/** @returns null for bytes in another format */
export function fromBytes(bytes: Uint8Array): Replica | null {
  const reader = new Reader(bytes);
  try {
    const form = reader.number();
    const parts = reader.number();
    const byCreation = parts & (BASE_BY_CREATION | PASS_BY_CREATION);
    if (form !== FORM && form !== (byCreation === 0 ? OLDER_FORM : OLDER_FORM_BY_CREATION)) return null;
    const reading = form === FORM ? reader.number() : 0;
    const base = parts & HAS_BASE ? readBase(reader, orderOf(parts & BASE_BY_CREATION)) : null;
    const pass = parts & HAS_PASS ? readPass(reader, orderOf(parts & PASS_BY_CREATION)) : null;
    const counted = parts & HAS_COUNT ? reader.number() : reachedBy({ base, pass });
    const isWhole = parts & HAS_COUNT ? reader.isZeroToTheEnd : reader.isAtEnd;
    return isWhole ? { base, pass, counted, reading } : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
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

function readPass(reader: Reader, order: PassOrder): Pass {
  const base = readBase(reader, order);
  return { ...base, reached: lowestKey(base) + reader.number() };
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
