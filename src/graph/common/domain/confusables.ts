import { type Steps } from '../../../kernel/slices.js';
import { tagNameKey } from '../../../privacy/index.js';

/**
 * Small letters of other scripts that look like Latin ones: the part of the Unicode Consortium's confusables.txt
 * (UTS #39, version 16.0) that turns one script's everyday letters into another's. After case folding and NFKC.
 */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  // Cyrillic
  а: 'a',
  в: 'b',
  с: 'c',
  ԁ: 'd',
  е: 'e',
  һ: 'h',
  і: 'i',
  ј: 'j',
  к: 'k',
  ӏ: 'l',
  м: 'm',
  н: 'h',
  о: 'o',
  р: 'p',
  ԛ: 'q',
  ѕ: 's',
  т: 't',
  у: 'y',
  ү: 'y',
  ԝ: 'w',
  х: 'x',
  ё: 'ë',
  ї: 'ï',
  ѵ: 'v',
  г: 'r',
  // Greek
  α: 'a',
  β: 'b',
  ε: 'e',
  γ: 'y',
  η: 'n',
  ι: 'i',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  σ: 'o',
  τ: 't',
  υ: 'u',
  χ: 'x',
  // Armenian
  օ: 'o',
  ո: 'n',
  ս: 'u',
  հ: 'h',
  ց: 'g',
  զ: 'q',
  // Latin letters and digits that look alike
  ı: 'i',
  ɑ: 'a',
  ɡ: 'g',
  ɩ: 'i',
  '0': 'o',
  '1': 'l',
  '|': 'l',
  '℮': 'e',
};

/**
 * Characters that may be invisible; names stored before such characters were refused may hold them (rule
 * 1.17).
 */
const UNWRITTEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const BLANK = /[\u2800\u{1D159}]/gu;

/**
 * The skeleton of a name: equal for names that readers may confuse. Compared with skeletons only, never
 * shown.
 */
function skeletonOf(name: string): string {
  const seen = name.replace(UNWRITTEN, '').replace(BLANK, ' ');
  const folded = tagNameKey(tagNameKey(seen).normalize('NFKC'));
  const letters = Array.from(folded, (letter) => LOOK_ALIKES[letter] ?? letter)
    .join('')
    .replaceAll('i\u0307', 'i');
  return letters.replace(/rn/g, 'm').replace(/vv/g, 'w').replace(/\s+/g, ' ');
}

/** Names by how they look, for many comparisons with the same names. */
export class LookAlikes {
  private readonly names = new Map<string, string[]>();

  /** Adds the names, each as one step: a skeleton may take a large part of a millisecond. */
  *add(names: Iterable<string>): Steps<void> {
    for (const name of names) {
      const skeleton = skeletonOf(name);
      const same = this.names.get(skeleton);
      if (same) same.push(name);
      else this.names.set(skeleton, [name]);
      yield;
    }
  }

  /** The first of the names that looks like this one but differs from it; null if there is no such name. */
  of(name: string): string | null {
    const key = tagNameKey(name);
    return this.names.get(skeletonOf(name))?.find((other) => tagNameKey(other) !== key) ?? null;
  }
}
