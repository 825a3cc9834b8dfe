import { type GraphImports, type TagsService } from '../graph/index.js';
import { type UnitOfWork } from '../kernel/change-log/unit-of-work.js';
import { withoutUnseen } from '../kernel/text/unseen-characters.js';
import { type Access, tagNameKey } from '../privacy/index.js';
import type { ImportedTag } from './imported-graph.js';

interface Tools {
  access: Access;
  imports: GraphImports;
  tags: TagsService;
  units: UnitOfWork;
}

/**
 * Finds the tag ids for the names of a source. A tag that was renamed in the service is still found by its
 * former name, and one that was deleted there stays deleted on the nodes that carried it: an import must
 * not undo either.
 */
export class ImportTags {
  created = 0;
  private readonly ids = new Map<string, string>();
  /** Every tag that ever had a name, by name key. */
  private readonly bearers = new Map<string, Set<string>>();

  private constructor(private readonly tools: Tools) {}

  /** Creates the tags that the owner never had, each below its parent. */
  static async prepare(tools: Tools, tags: readonly ImportedTag[]): Promise<ImportTags> {
    const prepared = new ImportTags(tools);
    await prepared.learn();
    for (const tag of tags) {
      const key = keyOf(tag.name);
      const living = prepared.living(key);
      if (living !== null) prepared.ids.set(key, living);
      else if (!prepared.bearers.has(key)) await prepared.make(tag);
    }
    return prepared;
  }

  /**
   * @param last the node's tags after the last import, deleted ones included
   * @returns ids in the order of the names, each once
   */
  async idsOf(names: readonly string[], last: readonly string[]): Promise<string[]> {
    const ids: string[] = [];
    for (const name of names) {
      const key = keyOf(name);
      const kept = last.find((id) => this.bearers.get(key)?.has(id));
      ids.push(
        kept ??
          this.ids.get(key) ??
          this.living(key) ??
          (await this.make({ name, parent: null, category: null })),
      );
    }
    return [...new Set(ids)];
  }

  private async learn(): Promise<void> {
    const { access, imports } = this.tools;
    const former = await imports.formerTagNames(access);
    for (const { id, name } of [...former, ...access.vocabulary.all()]) {
      const key = keyOf(name);
      this.bearers.set(key, (this.bearers.get(key) ?? new Set()).add(id));
    }
  }

  /** The living tag of that name, else a living one that once had it. */
  private living(key: string): string | null {
    const { vocabulary } = this.tools.access;
    return (
      vocabulary.idOf(key) ??
      [...(this.bearers.get(key) ?? [])].find((id) => vocabulary.nameOf(id) !== null) ??
      null
    );
  }

  private async make({ name, parent, category }: ImportedTag): Promise<string> {
    const parentId = parent === null ? null : (this.ids.get(keyOf(parent)) ?? null);
    const { access, tags, units } = this.tools;
    const tag = await units.run(() =>
      tags.create(access, { name: seen(name), category, parent_tag_id: parentId }),
    );
    this.ids.set(keyOf(name), tag.id);
    this.created += 1;
    return tag.id;
  }
}

/** Sources may hold characters that a tag name may not: the tag is created and found without them. */
const seen = (name: string): string => withoutUnseen(name).trim() || '_';
const keyOf = (name: string): string => tagNameKey(seen(name));
