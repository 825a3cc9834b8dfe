import { BLOCK_BYTES, strideOf, type VectorMemory } from './vector-memory.js';

const NUMBER_BYTES = Float32Array.BYTES_PER_ELEMENT;
/** The cost of a row beside its numbers: the node's id, its entry in the map, its length. */
const ROW_BYTES = 150;

/** A vector as it is read from the database. */
export interface StoredVector {
  vectorId: number;
  nodeId: string;
  unit: Float32Array;
}

/**
 * Vectors of one owner and one length in memory, by number. A number's vector never changes and rows are
 * never reused, so found rows stay valid while others are added, until the shelf as a whole is removed.
 */
export class VectorShelf {
  readonly name = Symbol('shelf');
  private readonly blocks: number[] = [];
  private readonly stride: number;
  private readonly rowsPerBlock: number;
  private readonly rows = new Map<number, number>();
  private readonly nodeIds: string[] = [];
  private readonly squares: number[] = [];
  private comparedSquares = 0;
  private gone = false;

  constructor(
    readonly dimensions: number,
    private readonly memory: VectorMemory,
  ) {
    this.stride = strideOf(dimensions);
    this.rowsPerBlock = Math.floor(BLOCK_BYTES / (this.stride * NUMBER_BYTES));
  }

  get isGone(): boolean {
    return this.gone;
  }

  /** @param more the number of rows to add */
  bytes(more = 0): number {
    const rows = this.nodeIds.length + more;
    return Math.ceil(rows / this.rowsPerBlock) * BLOCK_BYTES + rows * ROW_BYTES;
  }

  row(vectorId: number): number | undefined {
    return this.rows.get(vectorId);
  }

  nodeId(row: number): string {
    return this.nodeIds[row] as string;
  }

  /**
   * Adds a vector. Does nothing without room: several requests that fill one shelf may need more than each
   * was promised.
   */
  add({ vectorId, nodeId, unit }: StoredVector): void {
    if (this.gone || this.rows.has(vectorId)) return;
    const row = this.nodeIds.length;
    if (row % this.rowsPerBlock === 0) {
      const block = this.memory.take();
      if (block === null) return;
      this.blocks.push(block);
    }
    this.memory.write(this.address(row), unit);
    this.rows.set(vectorId, row);
    this.nodeIds.push(nodeId);
    this.squares.push(this.memory.compareWith(unit));
  }

  /**
   * Must be called before {@link cosine}, and again after other requests may have run: there is one place
   * for the query vector.
   */
  compareWith(query: Float32Array): void {
    this.comparedSquares = this.memory.compareWith(query);
  }

  /** The cosine similarity to the query vector; exactly 1 for a vector with itself, in spite of rounding. */
  cosine(row: number): number {
    const length = Math.sqrt((this.squares[row] as number) * this.comparedSquares);
    return Math.max(-1, Math.min(1, this.memory.product(this.address(row), this.stride) / length));
  }

  remove(): void {
    this.gone = true;
    for (const block of this.blocks.splice(0)) this.memory.give(block);
    this.rows.clear();
  }

  private address(row: number): number {
    const block = this.blocks[Math.floor(row / this.rowsPerBlock)] as number;
    return block + (row % this.rowsPerBlock) * this.stride * NUMBER_BYTES;
  }
}
