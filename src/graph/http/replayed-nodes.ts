import { Injectable } from '@nestjs/common';
import { type ShownAgain } from '../../kernel/http/idempotency.js';
import { type Access, maySchema, sees } from '../../privacy/index.js';
import { type Facts, type Node } from '../domain/node.js';
import { factsOf, type NodeSource } from '../domain/node-view.js';
import { NodesRepository } from '../infrastructure/nodes.repository.js';

/** A node as an answer was made of it, and as it was stored with that answer. */
export type Replayed = NodeSource & {
  /** Its writer could not read it: he was shown what he had written. */
  unread?: true;
};

/** Of a node that the caller has just written. Who may write and not read is shown it this once. */
export function sourceOfWritten(access: Access, node: Node): Replayed {
  const source = node.snapshot();
  return sees(access.nodes.read, node.facts) ? source : { ...source, unread: true };
}

/**
 * Which nodes of a stored answer are shown when it is asked for again. A stored state is a past one: it is shown when the
 * node is readable now, and was then by the rules of now (rules 3.20, 11), and as both its facts of then and those of
 * now let it be shown. The owner is shown whatever he was told.
 */
@Injectable()
export class ReplayedNodes {
  constructor(private readonly nodes: NodesRepository) {}

  /** What each of them is now; null: it is not shown. */
  async now(access: Access, sources: readonly Replayed[]): Promise<(Facts | null)[]> {
    const today = await this.today(
      access,
      sources.map(({ id }) => id),
    );
    return sources.map((source) => {
      if (source.owner_id !== access.ownerId) return null;
      const node = today.get(source.id);
      const now = node?.facts ?? factsOf(source);
      if (access.isOwner) return now;
      // His own words, as long as he might write them again; whether the node is still there is not for him to know.
      if (source.unread) return maySchema(access, 'write', source.schema_id) ? factsOf(source) : null;
      return isReadable(access, node) && sees(access.nodes.read, factsOf(source)) ? now : null;
    });
  }

  /** Each of them as it is shown again; null: it is not. */
  async again(
    access: Access,
    sources: readonly Replayed[],
    show: (source: Replayed, now: Facts) => Promise<ShownAgain>,
  ): Promise<(ShownAgain | null)[]> {
    const now = await this.now(access, sources);
    const shown: (ShownAgain | null)[] = [];
    for (const [index, source] of sources.entries()) {
      const facts = now[index] ?? null;
      shown.push(facts && (await show(source, facts)));
    }
    return shown;
  }

  /** The same for nodes of which nothing but the id was shown. */
  async areReadable(access: Access, ids: readonly string[]): Promise<boolean[]> {
    const today = await this.today(access, ids);
    return ids.map((id) => access.isOwner || isReadable(access, today.get(id)));
  }

  private today(access: Access, ids: readonly string[]): Promise<Map<string, Node>> {
    return access.isOwner ? Promise.resolve(new Map<string, Node>()) : this.nodes.list(access.ownerId, ids);
  }
}

const isReadable = (access: Access, node: Node | undefined): boolean =>
  node !== undefined && !node.isDeleted && sees(access.nodes.read, node.facts);
