/**
 * The number of letters by which two words differ: missing, added, replaced, or exchanged with the next one (the optimal
 * string alignment distance). Takes time by the length of a word times `most`, or by both lengths.
 * @param most a larger number of differences is returned as Infinity
 */
export function editDistance(one: readonly string[], other: readonly string[], most = Infinity): number {
  if (Math.abs(one.length - other.length) > most) return Infinity;
  let [last, row] = [[] as number[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i++) {
    const next = new Array<number>(other.length + 1).fill(Infinity);
    if (i <= most) next[0] = i;
    let least = next[0] as number;
    for (let j = Math.max(1, i - most); j <= Math.min(other.length, i + most); j++) {
      const isSame = one[i - 1] === other[j - 1];
      const isExchanged = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const differences = Math.min(
        (row[j] as number) + 1,
        (next[j - 1] as number) + 1,
        (row[j - 1] as number) + (isSame ? 0 : 1),
        isExchanged ? (last[j - 2] as number) + 1 : Infinity,
      );
      next[j] = differences;
      least = Math.min(least, differences);
    }
    if (least > most) return Infinity;
    [last, row] = [row, next];
  }
  const differences = row[other.length] as number;
  return differences > most ? Infinity : differences;
}
