/** The target duration of a piece: far less than a read may delay other callers. */
const AIM_MS = 50;
/** The factor by which a piece may be larger or smaller than the previous one. */
const FACTOR = 4;

/** Chooses the size of a list's next piece by the duration of previous ones. */
export class PieceSize {
  constructor(
    private size: number,
    private readonly most: number,
  ) {}

  /** The number of keys of the next piece; at least one. */
  get keys(): number {
    return this.size;
  }

  /** @param keys the number in the last piece, which may have ended early with the list or by the size of its rows */
  adapt(keys: number, tookMs: number): void {
    const factor = Math.min(FACTOR, Math.max(1 / FACTOR, AIM_MS / Math.max(1, tookMs)));
    this.size = Math.min(this.most, Math.max(1, Math.floor(keys * factor)));
  }
}
