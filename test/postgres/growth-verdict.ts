import { type Asked, type Measured, type Work } from './asked-questions.js';

/** The order in which they are measured. */
export const SIZES = ['small', 'large', 'crowded'] as const;
/** `large` is eight times `small`, `crowded` is `large` beside larger accounts of others. */
export type AtSizes = Readonly<Record<(typeof SIZES)[number], Measured>>;

const TIMES = 8;
/** The tolerated difference: a page of an index, another plan for a table of a few rows. */
const ROOM: Work = { statements: 2, rows: 300, pages: 60 };
const FLAT = 3;
/** Quadratic work grows 64 times; the tables of a small account are read whole. */
const LINEAR = TIMES * 5;
const STRANGERS = 1.5;

/** The work that grows faster than allowed, one line each. */
export function findings({ title, growth }: Pick<Asked, 'title' | 'growth'>, at: AtSizes): string[] {
  const { small, large, crowded } = at;
  const cold = growth === 'flat' ? FLAT : LINEAR;
  const warm = growth === 'linear' ? LINEAR : FLAT;
  return [
    ...exceeding(`${growth}: cold`, [small.cold, large.cold], cold),
    ...exceeding(`${growth}: warm`, [small.warm, large.warm], warm),
    // A scan of a whole table is accepted for an owner of a large part of it, not for a small request.
    ...(growth === 'flat' ? exceeding('strangers: cold', [large.cold, crowded.cold], STRANGERS) : []),
    ...(growth === 'linear' ? [] : exceeding('strangers: warm', [large.warm, crowded.warm], STRANGERS)),
  ].map((finding) => `${title}: ${finding}`);
}

function exceeding(what: string, [before, after]: readonly [Work, Work], factor: number): string[] {
  const measures = ['statements', 'rows', 'pages'] as const;
  return measures.flatMap((measure) => {
    const times = measure === 'statements' && factor === FLAT ? 1 : factor;
    const most = before[measure] * times + ROOM[measure] * (factor === LINEAR ? 20 : 1);
    return after[measure] <= most ? [] : [`${what} ${measure} ${before[measure]} → ${after[measure]}`];
  });
}
