/** The most characters of a name that is bounded: keys may be as long as a whole value, and each name repeats them. */
const LONGEST = 200;

/** Keys are joined by dots; one that holds a dot or a quote is quoted, so that no two paths have one name. */
const nameOfKey = (key: string): string => (/[."]/.test(key) ? JSON.stringify(key) : key);

/** The name of a path, such as `metadata.properties.status`. Paths with equal names are equal. */
export const pathName = (path: readonly string[]): string => path.map(nameOfKey).join('.');

/** The name of a place below another one; null where it would be too long. */
export function nameBelow(above: string, key: string): string | null {
  if (above.length + key.length >= LONGEST) return null;
  const name = `${above}.${nameOfKey(key)}`;
  return name.length > LONGEST ? null : name;
}

/** The name of a path, or of the last place on it whose name is not too long. */
export function boundedPathName([first = '', ...keys]: readonly string[]): string {
  let name = nameOfKey(first);
  for (const key of keys) {
    const below = nameBelow(name, key);
    if (below === null) return name;
    name = below;
  }
  return name;
}
