/** A word of a question. */
export interface SoughtTerm {
  /** The word in small letters, without accents. */
  word: string;
  /** The forms in which a text may have it: its stems in all languages. */
  forms: readonly string[];
  /** True if longer words that begin with it match, too. */
  isBeginning: boolean;
}

/** A sign that is written without spaces, as in the migration of the stems. */
export const SIGN =
  /^[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\u{20000}-\u{2ffff}]$/u;
