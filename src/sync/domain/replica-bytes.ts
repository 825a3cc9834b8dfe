import { type Moment } from '../../privacy/index.js';
import { type Base, type Pass, reachedBy, type Replica, type Seam } from './replica.js';

/** Raised when the form changes; an older cursor must stay readable, for cursors never expire. */
const FORM = 1;
const HAS_BASE = 1;
const HAS_PASS = 2;
/** The number of the last entry, and zeros for as long as somebody likes. Cursors of before have neither. */
const HAS_COUNT = 4;

/**
 * A replica in few bytes: numbers in groups of seven bits, seams as steps from the one before. A cursor of a quiet graph
 * has about ten bytes; every page of a pass during which the graph was written to adds four.
 */
export function toBytes({ base, pass, counted }: Replica): Buffer {
  const bytes: number[] = [FORM, (base ? HAS_BASE : 0) | (pass ? HAS_PASS : 0) | HAS_COUNT];
  if (base) writeBase(bytes, base);
  if (pass) {
    writeBase(bytes, pass);
    write(bytes, pass.reached - pass.start);
  }
  write(bytes, counted);
  return Buffer.from(bytes);
}

/** The same with zeros up to a multiple of a size: numbers of hidden changes must not show in the length. */
export function toPaddedBytes(replica: Replica, size: number): Buffer {
  const bytes = toBytes(replica);
  return Buffer.concat([bytes, Buffer.alloc((size - (bytes.length % size)) % size)]);
}

/** @returns null for bytes that are not of this form */
export function fromBytes(bytes: Uint8Array): Replica | null {
  const reader = new Reader(bytes);
  try {
    if (reader.number() !== FORM) return null;
    const parts = reader.number();
    const base = parts & HAS_BASE ? readBase(reader) : null;
    const pass = parts & HAS_PASS ? readPass(reader) : null;
    const counted = parts & HAS_COUNT ? reader.number() : reachedBy({ base, pass });
    const isWhole = parts & HAS_COUNT ? reader.isZeroToTheEnd : reader.isAtEnd;
    return isWhole ? { base, pass, counted } : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function writeBase(bytes: number[], { start, end, seams }: Base): void {
  [start, end.changes, end.app, seams.length].forEach((number) => write(bytes, number));
  let before: Seam = { upTo: start, at: end };
  for (const seam of seams) {
    write(bytes, seam.upTo - before.upTo);
    write(bytes, seam.at.changes - before.at.changes);
    write(bytes, seam.at.app - before.at.app);
    before = seam;
  }
}

function readBase(reader: Reader): Base {
  const start = reader.number();
  const end: Moment = { changes: reader.number(), app: reader.number() };
  const seams: Seam[] = [];
  let before: Seam = { upTo: start, at: end };
  for (let count = reader.number(); count > 0; count--) {
    const upTo = before.upTo + reader.number();
    const at = { changes: before.at.changes + reader.number(), app: before.at.app + reader.number() };
    seams.push((before = { upTo, at }));
  }
  return { start, end, seams };
}

function readPass(reader: Reader): Pass {
  const base = readBase(reader);
  return { ...base, reached: base.start + reader.number() };
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
      if (byte === undefined || weight > Number.MAX_SAFE_INTEGER / 128) throw new RangeError('no number');
      number += (byte % 128) * weight;
      if (byte < 128) return number;
    }
  }
}
