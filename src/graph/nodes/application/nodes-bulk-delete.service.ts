import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../../../kernel/change-log/change-log.js';
import { Clock } from '../../../kernel/clock.js';
import { type DomainError, isFaultOfPart } from '../../../kernel/errors/domain-error.js';
import { HeldRows } from '../../../kernel/held-rows.js';
import { isId } from '../../../kernel/ids.js';
import { UnitOfWork } from '../../../kernel/change-log/unit-of-work.js';
import { type Access } from '../../../privacy/index.js';
import { type Node } from '../domain/node.js';
import { NodesRepository } from '../infrastructure/nodes.repository.js';
import { AccessibleNodes } from '../infrastructure/accessible-nodes.queries.js';
import { permitted } from './node-permissions.js';
import { changeOf, NOBODY } from './node-writes.js';

export interface BulkDeletion {
  deleted: number;
  errors: { nodeId: string; error: DomainError }[];
}

/** Deletes many nodes in one unit of work and two statements. */
@Injectable()
export class NodesBulkDeleteService {
  constructor(
    private readonly nodes: NodesRepository,
    private readonly units: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
    private readonly reached: AccessibleNodes,
    private readonly held: HeldRows,
  ) {}

  /** An id sent twice counts once. Unknown, malformed and invisible ids answer alike (rule 4.10). */
  run(access: Access, given: readonly string[]): Promise<BulkDeletion> {
    const ids = [...new Set(given.map((id) => (isId(id) ? id.toLowerCase() : id)))];
    return this.held.run(ids.length, () => this.delete(access, ids));
  }

  private delete(access: Access, ids: readonly string[]): Promise<BulkDeletion> {
    return this.units.run(async () => {
      const found = await this.reached.lock(access, ids.filter(isId));
      const errors: BulkDeletion['errors'] = [];
      const gone: Node[] = [];
      for (const nodeId of ids) {
        try {
          const known = found.get(nodeId);
          gone.push(this.ended(known?.access ?? access, known?.node ?? null));
        } catch (error) {
          if (!isFaultOfPart(error)) throw error;
          errors.push({ nodeId, error });
        }
      }
      for (const nodes of byOwner(gone)) await this.nodes.updateMany(nodes);
      return { deleted: gone.length, errors };
    });
  }

  private ended(access: Access, found: Node | null): Node {
    const node = permitted(access, found, 'delete');
    const step = node.delete(this.clock.now());
    this.changes.append(changeOf(node, step, NOBODY));
    return step.node;
  }
}

function byOwner(nodes: readonly Node[]): Node[][] {
  const owners = [...new Set(nodes.map(({ ownerId }) => ownerId))];
  return owners.map((ownerId) => nodes.filter((node) => node.ownerId === ownerId));
}
