import { rest } from '../../slices.js';

/**
 * Pieces are joined up to this size: larger chunks would block the event loop longer, smaller ones cost more writes.
 */
const CHUNK_CHARACTERS = 64 * 1024;

export interface JsonChunk {
  text: string;
  isLast: boolean;
}

/**
 * The JSON text of a body in chunks, equal to the text of `JSON.stringify`. Lists at the top of the body are serialized
 * item by item; everything else is assumed to be short.
 */
export class JsonChunks {
  private readonly pieces: Iterator<string>;

  constructor(body: object) {
    this.pieces = 'toJSON' in body ? [JSON.stringify(body)].values() : piecesOf(body);
  }

  next(): JsonChunk {
    let text = '';
    for (;;) {
      const { value, done } = this.pieces.next();
      if (done === true) return { text, isLast: true };
      text += value;
      if (text.length >= CHUNK_CHARACTERS) return { text, isLast: false };
    }
  }

  /** The remaining chunks as bytes; other requests are served between them. */
  async *remaining(): AsyncGenerator<Buffer> {
    for (;;) {
      await rest();
      const { text, isLast } = this.next();
      if (text !== '') yield Buffer.from(text);
      if (isLast) return;
    }
  }
}

/** True if a body has a list of objects, which may be large. */
export const hasList = (body: object): boolean => isList(body) || Object.values(body).some(isList);

const isList = (value: unknown): value is unknown[] =>
  Array.isArray(value) && typeof value[0] === 'object' && value.length > 1;

function* piecesOf(body: object): Generator<string> {
  if (Array.isArray(body)) {
    yield* piecesOfList(body);
    return;
  }
  let before = '{';
  for (const [key, value] of Object.entries(body)) {
    const text = isList(value) ? '' : (JSON.stringify(value) as string | undefined);
    if (text === undefined) continue;
    yield `${before}${JSON.stringify(key)}:${text}`;
    if (isList(value)) yield* piecesOfList(value);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

function* piecesOfList(items: readonly unknown[]): Generator<string> {
  let before = '[';
  for (const item of items) {
    yield before + ((JSON.stringify(item) as string | undefined) ?? 'null');
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
