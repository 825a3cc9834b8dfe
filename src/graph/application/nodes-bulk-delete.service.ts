import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../../kernel/changes/change-log.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { isId } from '../../kernel/ids.js';
import { UnitOfWork } from '../../kernel/persistence/unit-of-work.js';
import { type Access, ReceivedAccesses } from '../../privacy/index.js';
import { type Node } from '../domain/node.js';
import { NodesRepository } from '../infrastructure/nodes.repository.js';
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
    private readonly receivedAccesses: ReceivedAccesses,
  ) {}

  /** An id given twice counts once. Unknown, malformed and invisible read the same (decisions 4.10). */
  run(access: Access, given: readonly string[]): Promise<BulkDeletion> {
    const ids = [...new Set(given.map((id) => (isId(id) ? id.toLowerCase() : id)))];
    return this.units.run(async () => {
      const found = await this.nodes.lock(access.ownerId, ids.filter(isId));
      const elsewhere = await this.received(
        access,
        ids.filter((id) => isId(id) && !found.has(id)),
      );
      const errors: BulkDeletion['errors'] = [];
      const gone: Node[] = [];
      for (const nodeId of ids) {
        try {
          const other = elsewhere.get(nodeId);
          gone.push(
            other ? this.delete(other.access, other.node) : this.delete(access, found.get(nodeId) ?? null),
          );
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          errors.push({ nodeId, error });
        }
      }
      for (const nodes of byOwner(gone)) await this.nodes.updateMany(nodes);
      return { deleted: gone.length, errors };
    });
  }

  /** Those that others share with the caller, locked, with the access to the owner of each. */
  private async received(
    caller: Access,
    ids: readonly string[],
  ): Promise<Map<string, { access: Access; node: Node }>> {
    const found = new Map<string, { access: Access; node: Node }>();
    const accesses = ids.length === 0 ? [] : (await this.receivedAccesses.of(caller)).accesses;
    const owners = await this.nodes.ownersOf(
      accesses.map(({ ownerId }) => ownerId),
      ids,
    );
    for (const access of accesses.filter(({ ownerId }) => owners.has(ownerId))) {
      const locked = await this.nodes.lock(access.ownerId, ids);
      for (const [id, node] of locked) found.set(id, { access, node });
    }
    return found;
  }

  private delete(access: Access, found: Node | null): Node {
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
