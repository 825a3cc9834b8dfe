import { type UnitVector } from '../domain/embedding.js';

/** Memory is taken in blocks of about this size, so that nothing is copied when a shelf grows. */
const BLOCK_BYTES = 32 * 1024;
const NUMBER_BYTES = Float32Array.BYTES_PER_ELEMENT;
/** What a row costs beside its numbers: the node's id, its place in the map, its length. */
const ROW_BYTES = 150;

/** A vector as it is read from the database. */
export interface StoredVector {
  vectorId: number;
  nodeId: string;
  unit: Float32Array;
}

/**
 * Vectors of one owner and one length in memory, each under its number. A number's vector never changes and no row is
 * ever used again, so rows that were found stay right while others are added.
 */
export class VectorShelf {
  readonly name = Symbol('shelf');
  private readonly blocks: Float32Array[] = [];
  private readonly rowsPerBlock: number;
  private readonly rows = new Map<number, number>();
  private readonly nodeIds: string[] = [];
  private readonly squares: number[] = [];

  constructor(readonly dimensions: number) {
    this.rowsPerBlock = Math.max(1, Math.floor(BLOCK_BYTES / (dimensions * NUMBER_BYTES)));
  }

  /** @param more rows that are not there yet */
  bytes(more = 0): number {
    const rows = this.nodeIds.length + more;
    const block = this.rowsPerBlock * this.dimensions * NUMBER_BYTES;
    return Math.ceil(rows / this.rowsPerBlock) * block + rows * ROW_BYTES;
  }

  row(vectorId: number): number | undefined {
    return this.rows.get(vectorId);
  }

  nodeId(row: number): string {
    return this.nodeIds[row] as string;
  }

  add({ vectorId, nodeId, unit }: StoredVector): void {
    if (this.rows.has(vectorId)) return;
    const row = this.nodeIds.length;
    const { block, offset } = this.place(row);
    block.set(unit, offset);
    this.rows.set(vectorId, row);
    this.nodeIds.push(nodeId);
    this.squares.push(dot(block, offset, Float64Array.from(unit)));
  }

  /** Cosine. Of a vector with itself it is 1 exactly, whatever rounding did to its length. */
  cosine(row: number, query: QueryVector): number {
    const { block, offset } = this.place(row);
    const length = Math.sqrt((this.squares[row] as number) * query.squares);
    return Math.max(-1, Math.min(1, dot(block, offset, query.numbers) / length));
  }

  private place(row: number): { block: Float32Array; offset: number } {
    const number = Math.floor(row / this.rowsPerBlock);
    const block = (this.blocks[number] ??= new Float32Array(this.rowsPerBlock * this.dimensions));
    return { block, offset: (row % this.rowsPerBlock) * this.dimensions };
  }
}

/** What is looked for, rounded as stored vectors are. */
export interface QueryVector {
  numbers: Float64Array;
  squares: number;
}

export function queryVector(unit: UnitVector): QueryVector {
  const rounded = Float32Array.from(unit);
  const numbers = Float64Array.from(rounded);
  return { numbers, squares: dot(rounded, 0, numbers) };
}

/** Four sums side by side: they do not wait for each other. */
function dot(block: Float32Array, offset: number, numbers: Float64Array): number {
  const { length } = numbers;
  const whole = length - (length % 4);
  let [a, b, c, d] = [0, 0, 0, 0];
  let at = 0;
  for (; at < whole; at += 4) {
    a += (block[offset + at] as number) * (numbers[at] as number);
    b += (block[offset + at + 1] as number) * (numbers[at + 1] as number);
    c += (block[offset + at + 2] as number) * (numbers[at + 2] as number);
    d += (block[offset + at + 3] as number) * (numbers[at + 3] as number);
  }
  for (; at < length; at++) a += (block[offset + at] as number) * (numbers[at] as number);
  return a + b + (c + d);
}
