import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/change-log/unit-of-work.js';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { type Access } from '../../../privacy/index.js';
import { type Node } from '../domain/node.js';
import { NodesRepository } from '../infrastructure/nodes.repository.js';
import { isThere } from './node-permissions.js';
import { type NodeBody } from './node-writes.js';
import { NodesBatchService, type OnDuplicate } from './nodes-batch.service.js';
import { NodesService } from './nodes.service.js';

/** A new node, or the existing one that it would duplicate. */
export interface Creation {
  node: Node;
  isNew: boolean;
}

/** Creates single nodes; one that may meet a duplicate is a batch of one (rule 4.9f). */
@Injectable()
export class NodeCreationService {
  constructor(
    private readonly nodes: NodesService,
    private readonly batches: NodesBatchService,
    private readonly stored: NodesRepository,
    private readonly units: UnitOfWork,
  ) {}

  /**
   * @param onDuplicate absent or null: a second node is created
   * @throws PERMISSION_DENIED, SCHEMA_NOT_FOUND, SCHEMA_VALIDATION_FAILED, INVALID_NODE_TYPE, VALIDATION_ERROR,
   * LAST_TAG_REMOVAL, SERVICE_UNAVAILABLE
   */
  async create(access: Access, body: NodeBody, onDuplicate?: OnDuplicate | null): Promise<Creation> {
    if (!onDuplicate) return { node: await this.nodes.create(access, body), isNew: true };
    // A duplicate that is skipped can be deleted before it is read; then the next look finds another one, or none. Within a
    // unit, which holds the lock of the owner's batches, a second look could wait for one that waits for this lock.
    const looks = this.units.isOutermost ? 2 : 1;
    for (let look = 0; look < looks; look++) {
      const creation = await this.inBatch(access, body, onDuplicate);
      if (creation !== null) return creation;
    }
    throw new DomainError(
      'SERVICE_UNAVAILABLE',
      'The node that this one duplicates keeps changing; try again later',
    );
  }

  /** Null if the duplicate is no longer readable. */
  private async inBatch(access: Access, body: NodeBody, onDuplicate: OnDuplicate): Promise<Creation | null> {
    const entry = { title: body.title ?? null, body };
    const { created, skipped, errors, written } = await this.batches.run(access, {
      entries: [entry],
      onDuplicate,
    });
    const [error] = errors;
    if (error !== undefined) throw error.error;
    const [node] = written.values();
    if (node !== undefined) return { node, isNew: created.length > 0 };
    const duplicate = await this.stored.find(access.ownerId, skipped[0]?.id ?? '');
    return duplicate !== null && isThere(access, duplicate, 'read')
      ? { node: duplicate, isNew: false }
      : null;
  }
}
