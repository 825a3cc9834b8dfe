/** The time that a piece should take: far less than a read may keep others waiting. */
const AIM_MS = 50;
/** The most by which a piece is larger, or smaller, than the one before. */
const FACTOR = 4;

/** The size of the next piece of a list, by the time that pieces have taken. */
export class PieceSize {
  constructor(
    private size: number,
    private readonly most: number,
  ) {}

  /** At least one. */
  get keys(): number {
    return this.size;
  }

  /** @param keys of the last piece, which may have been the end of the list or of its rows */
  adapt(keys: number, tookMs: number): void {
    const factor = Math.min(FACTOR, Math.max(1 / FACTOR, AIM_MS / Math.max(1, tookMs)));
    this.size = Math.min(this.most, Math.max(1, Math.floor(keys * factor)));
  }
}
