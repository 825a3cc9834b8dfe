/**
 * Makes all WebAssembly in this thread use memory that another thread may write to. PostgreSQL checks its flag for a
 * cancelled statement all the time, so setting it from outside ends the statement, however busy this thread is.
 * PGlite's modules are compiled for memory of one thread; the only difference is one flag of the memory that they
 * import, since nothing in them runs on two threads.
 */
export function shareMemory() {
  const { instantiate, Memory, Module } = WebAssembly;
  WebAssembly.instantiate = (source, imports) =>
    instantiate(source instanceof Module ? source : withSharedMemory(source), imports);
  WebAssembly.Module = new Proxy(Module, {
    construct: (constructor, [source]) => new constructor(withSharedMemory(source)),
  });
  WebAssembly.Memory = new Proxy(Memory, {
    construct: (constructor, [limits]) => new constructor({ ...limits, shared: true }),
  });
}

const HEADER_BYTES = 8;
const IMPORTS = 2;
const KINDS = { function: 0, table: 1, memory: 2, global: 3, tag: 4 };
const HAS_MAXIMUM = 1;
const MAXIMUM_AND_SHARED = 3;
/** In pages of 64 KiB, as many as PGlite's own maximum, which shared memory requires. */
const MOST_PAGES = 32_768;

/** The module with its imported memory declared as shared; unchanged if it imports none. Tests compile it, too. */
export function withSharedMemory(source) {
  const bytes = ArrayBuffer.isView(source)
    ? Buffer.from(source.buffer, source.byteOffset, source.byteLength)
    : Buffer.from(source);
  const reader = new Reader(bytes);
  while (reader.at < bytes.length) {
    const id = reader.byte();
    const lengthAt = reader.at;
    const length = reader.number();
    const begin = reader.at;
    const limits = id === IMPORTS ? memoryLimits(reader) : null;
    if (limits !== null) {
      const shared = Buffer.from([MAXIMUM_AND_SHARED, ...encoded(limits.minimum), ...encoded(MOST_PAGES)]);
      const grown = length - (limits.end - limits.begin) + shared.length;
      return Buffer.concat([
        bytes.subarray(0, lengthAt),
        Buffer.from(encoded(grown)),
        bytes.subarray(begin, limits.begin),
        shared,
        bytes.subarray(limits.end),
      ]);
    }
    reader.at = begin + length;
  }
  return bytes;
}

function memoryLimits(reader) {
  for (let left = reader.number(); left > 0; left--) {
    reader.skip(reader.number());
    reader.skip(reader.number());
    const kind = reader.byte();
    if (kind === KINDS.memory) {
      const begin = reader.at;
      const { minimum } = reader.limits();
      return { begin, minimum, end: reader.at };
    }
    if (kind === KINDS.function) reader.number();
    else if (kind === KINDS.table) reader.skipTable();
    else if (kind === KINDS.global) reader.skip(2);
    else if (kind === KINDS.tag) reader.skipTag();
    else throw new Error(`a WebAssembly module imports something of unknown kind ${kind}`);
  }
  return null;
}

class Reader {
  at = HEADER_BYTES;

  constructor(bytes) {
    this.bytes = bytes;
  }

  byte() {
    return this.bytes.readUInt8(this.at++);
  }

  /** An unsigned number in LEB128. */
  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  skipTable() {
    this.skip(1);
    this.limits();
  }

  skipTag() {
    this.skip(1);
    this.number();
  }

  limits() {
    const flags = this.byte();
    const minimum = this.number();
    if (flags & HAS_MAXIMUM) this.number();
    return { minimum };
  }

  skip(bytes) {
    this.at += bytes;
  }
}

function encoded(value) {
  const bytes = [];
  for (; value >= 0x80; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}
