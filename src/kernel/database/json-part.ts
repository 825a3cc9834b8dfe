import { rest } from '../slices.js';

/** The length in characters at which a part ends: about 10 ms of the event loop to serialize and to send. */
const PART_CHARACTERS = 2 * 1024 * 1024;

/** A JSON array of some values, and the index of the first one that is not in it. */
export interface JsonPart {
  json: string;
  end: number;
}

export interface PartOptions<T> {
  /** The index of the first value; there must be one. */
  from: number;
  /** The serialized form of a value, with its position in the part: 0, 1, …. */
  formOf: (value: T, position: number) => object;
  /** The part contains the values before this index, whatever their size. */
  atLeast?: number;
}

/** Serializes values one by one until they fill a part; others are served in between. */
export async function jsonPart<T>(
  values: readonly T[],
  { from, formOf, atLeast = 0 }: PartOptions<T>,
): Promise<JsonPart> {
  const texts: string[] = [];
  let characters = 0;
  let end = from;
  while (end < values.length && (characters < PART_CHARACTERS || end < atLeast)) {
    const text = JSON.stringify(formOf(values[end] as T, end - from));
    texts.push(text);
    characters += text.length;
    end++;
    const pause = rest();
    if (pause !== undefined) await pause;
  }
  return { json: `[${texts.join(',')}]`, end };
}
