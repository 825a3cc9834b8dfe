import { createHash } from 'node:crypto';
import { TAG_NAME_LENGTH, tagNameKey } from '../privacy/index.js';
import { oneLine, shorten } from './clean-text.js';
import type { ImportedTag } from './imported-graph.js';

/**
 * The tags of one source under one spelling each. A path such as `work/projects` adds its ancestors: the
 * service takes parent tags literally (rule 3.11), so a grant or an exclusion of `work` must find the note
 * itself.
 */
export class TagCollection {
  private readonly tags = new Map<string, ImportedTag>();

  /**
   * Adds the tag and its ancestors, nearest last, in the spelling of their first appearance. `#` in front
   * is left out.
   */
  add(path: string, category: string): string[] {
    const names: string[] = [];
    const steps = this.stepsOf(path);
    steps.forEach((_, index) => {
      const name = fit(steps.slice(0, index + 1).join('/'));
      names.push(this.put(name, names.at(-1) ?? null, category));
    });
    return names;
  }

  /** Adds one tag unchanged below a parent. */
  addUnder(parent: string | null, text: string, category: string): string {
    return this.put(fit(oneLine(text).normalize('NFC')), parent, category);
  }

  all(): ImportedTag[] {
    return [...this.tags.values()];
  }

  private put(name: string, parent: string | null, category: string): string {
    const known = this.tags.get(tagNameKey(name));
    if (known) {
      // A folder and a hand-written tag of one name are one tag: the hand-written category is the stronger
      // one.
      if (known.category === 'folder') known.category = category;
      return known.name;
    }
    this.tags.set(tagNameKey(name), { name, parent, category });
    return name;
  }

  private stepsOf(path: string): string[] {
    return oneLine(path)
      .normalize('NFC')
      .replace(/^#+/, '')
      .split('/')
      .map((step) => step.trim())
      .filter((step) => step !== '');
  }
}

/**
 * Names over the limit end in a hash of the whole, so that two long names never become one tag. The limit holds for the
 * compatibility form, too, which has three letters for the sign `…` of a cut.
 */
function fit(name: string): string {
  if (fits(name)) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  let most = TAG_NAME_LENGTH - 9;
  let fitted = `${shorten(name, most)}~${hash}`;
  while (!fits(fitted)) fitted = `${shorten(name, --most)}~${hash}`;
  return fitted;
}

const fits = (name: string): boolean =>
  name.length <= TAG_NAME_LENGTH && name.normalize('NFKC').length <= TAG_NAME_LENGTH;
