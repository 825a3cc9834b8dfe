/** A hash or pseudonym in JSON, or in a text of JSON in JSON. */
const HASH = /(?<=")(?:[\da-f]{32}|pseudonym-[\da-f]{16})(?=\\*")/g;

/**
 * Names for the hashes and pseudonyms that one world shows, by their first occurrence in a story. Those of
 * hidden values differ between the worlds; which of them are equal must not.
 */
export class HashNames {
  private readonly names = new Map<string, string>();

  in(text: string): string {
    return text.replace(HASH, (hash) => {
      const name = this.names.get(hash) ?? `<hash ${this.names.size + 1}>`;
      this.names.set(hash, name);
      return name;
    });
  }
}
