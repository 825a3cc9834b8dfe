import { Injectable } from '@nestjs/common';
import { type ShownAgain } from '../../../kernel/http/idempotency.js';
import { type Access, maySchema, type NodeFacts, sees } from '../../../privacy/index.js';
import { type Node } from '../domain/node.js';
import { factsOf, type NodeSource } from '../../common/index.js';
import { NodesRepository } from '../infrastructure/nodes.repository.js';

/** A node from which an answer was made, as it was stored with that answer. */
export type Replayed = NodeSource & {
  /** True if its writer could not read it and was shown only their own text. */
  unread?: true;
};

/**
 * The source of a node that the caller has just written. A caller who may write but not read is shown it
 * this once.
 */
export function sourceOfWritten(access: Access, node: Node): Replayed {
  const source = node.snapshot();
  return sees(access.nodes.read, node.facts) ? source : { ...source, unread: true };
}

/**
 * Decides which nodes of a stored answer a replay shows. A stored state is a past one: it is shown when the
 * node is readable now, and was readable then by the current rules (rules 3.20, 11), cut by both its past
 * and its current facts. The owner is shown everything that was answered to them.
 */
@Injectable()
export class ReplayedNodes {
  constructor(private readonly nodes: NodesRepository) {}

  /** The current facts of each node; null: not shown. */
  async now(access: Access, sources: readonly Replayed[]): Promise<(NodeFacts | null)[]> {
    const today = await this.today(
      access,
      sources.map(({ id }) => id),
    );
    return sources.map((source) => {
      if (source.owner_id !== access.ownerId) return null;
      const node = today.get(source.id);
      const now = node?.facts ?? factsOf(source);
      if (access.isOwner) return now;
      // Callers see their own text again while they may still write it; they must not learn if the node
      // still exists.
      if (source.unread) return maySchema(access, 'write', source.schema_id) ? factsOf(source) : null;
      return isReadable(access, node) && sees(access.nodes.read, factsOf(source)) ? now : null;
    });
  }

  /** Each node as it is shown again; null: not shown. */
  async again(
    access: Access,
    sources: readonly Replayed[],
    show: (source: Replayed, now: NodeFacts) => Promise<ShownAgain>,
  ): Promise<(ShownAgain | null)[]> {
    const now = await this.now(access, sources);
    const shown: (ShownAgain | null)[] = [];
    for (const [index, source] of sources.entries()) {
      const facts = now[index] ?? null;
      shown.push(facts && (await show(source, facts)));
    }
    return shown;
  }

  /** The same for nodes of which only the id was shown. */
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
