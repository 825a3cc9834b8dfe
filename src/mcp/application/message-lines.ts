import { Transform, type TransformCallback } from 'node:stream';
import { parseJson } from '../../kernel/json/json-text.js';

/** The longest unfinished line: the library refuses one that is longer, and ends the connection. */
const LONGEST = 10 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * An input of JSON, one value a line. Empty lines mean nothing; lines that are no JSON, or too large to read, are left out
 * and noted.
 */
export class MessageLines extends Transform {
  private begun: Buffer[] = [];
  private size = 0;

  constructor(private readonly refuse: () => void) {
    super();
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    let at = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, at)) {
      this.keepPart(chunk.subarray(at, end + 1));
      this.passLine();
      at = end + 1;
    }
    this.keepPart(chunk.subarray(at));
    if (this.size > LONGEST) this.push(this.begunLine());
    done();
  }

  private keepPart(part: Buffer): void {
    this.begun.push(part);
    this.size += part.length;
  }

  private begunLine(): Buffer {
    const all = Buffer.concat(this.begun);
    this.begun = [];
    this.size = 0;
    return all;
  }

  private passLine(): void {
    const line = this.begunLine();
    const text = line.toString('utf8').trim();
    if (text === '') return;
    if (isJson(text)) this.push(line);
    else this.refuse();
  }
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}
