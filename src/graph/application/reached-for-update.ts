import { Injectable } from '@nestjs/common';
import { type Access, ReceivedAccesses } from '../../privacy/index.js';
import { type Node } from '../domain/node.js';
import { NodesRepository } from '../infrastructure/nodes.repository.js';

/** A locked node, and the access that decides what may be done with it. */
export interface LockedNode {
  access: Access;
  node: Node;
}

/** Nodes named in a body, own ones and those that others share, kept from others until the unit of work ends. */
@Injectable()
export class ReachedForUpdate {
  constructor(
    private readonly nodes: NodesRepository,
    private readonly receivedAccesses: ReceivedAccesses,
  ) {}

  /** @param ids well-formed, in lower case, each once */
  async lock(caller: Access, ids: readonly string[]): Promise<Map<string, LockedNode>> {
    const found = new Map<string, LockedNode>();
    if (ids.length === 0) return found;
    const own = await this.nodes.lock(caller.ownerId, ids);
    for (const [id, node] of own) found.set(id, { access: caller, node });
    await this.lockReceived(caller, { ids: ids.filter((id) => !own.has(id)), found });
    return found;
  }

  private async lockReceived(
    caller: Access,
    { ids, found }: { ids: readonly string[]; found: Map<string, LockedNode> },
  ): Promise<void> {
    if (ids.length === 0) return;
    const received = await this.receivedAccesses.of(caller);
    const owners = await this.nodes.ownersOf(received.ownerIds, ids);
    // In one order for everybody, so that two who lock nodes of the same owners do not wait for each other.
    for (const ownerId of [...owners].sort()) {
      const access = received.accessTo(ownerId) as Access;
      const locked = await this.nodes.lock(access.ownerId, ids);
      for (const [id, node] of locked) found.set(id, { access, node });
    }
  }
}
