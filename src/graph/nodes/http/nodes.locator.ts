import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Request } from 'express';
import { Locators } from '../../../kernel/http/locators.js';
import { isId } from '../../../kernel/ids.js';
import { type Access, accessOf, AccessReports, setAccess } from '../../../privacy/index.js';
import { isThere, type NodeUse, permitted } from '../application/node-permissions.js';
import { type Node } from '../domain/node.js';
import { NodesRepository } from '../infrastructure/nodes.repository.js';
import { AccessibleNodes } from '../infrastructure/accessible-nodes.queries.js';

/**
 * Locates nodes by path ids: one statement, whose row the handler uses. A node that somebody shares with
 * the caller is found after own ones; the request then continues with the access to its owner, so that the
 * share decides on everything that the handler does. A node of a group or a stranger is absent.
 */
@Injectable()
export class NodesLocator implements OnModuleInit {
  constructor(
    private readonly locators: Locators,
    private readonly nodes: NodesRepository,
    private readonly reached: AccessibleNodes,
    private readonly accessReports: AccessReports,
  ) {}

  onModuleInit(): void {
    this.locators.register('node', ['read', 'edit', 'delete', 'restore', 'history'], (request, id, verb) =>
      this.locate(request, id, verb),
    );
  }

  /**
   * An own or received node of the caller, with the access that decides on it.
   * @throws NODE_NOT_FOUND, PERMISSION_DENIED
   */
  async reach(access: Access, id: string, use: NodeUse): Promise<{ access: Access; node: Node }> {
    const found = await this.found(access, id, use);
    // Every answer is about the node: its history, its files, its relationships, its content.
    this.accessReports.shown(found.access, found.node.record);
    return found;
  }

  /** The same as {@link reach} for an answer about the node that has already begun. */
  async found(access: Access, id: string, use: NodeUse): Promise<{ access: Access; node: Node }> {
    if (!isId(id)) return { access, node: permitted(access, null, use) };
    const own = await this.nodes.find(access.ownerId, id);
    if (own !== null && isThere(access, own, use)) return { access, node: permitted(access, own, use) };
    // Looked up after a hidden one, too, which would otherwise be answered sooner than an absent one.
    const received = await this.reached.find(access, id);
    if (received === null) return { access, node: permitted(access, null, use) };
    return { access: received.access, node: permitted(received.access, received.node, use) };
  }

  private async locate(request: Request, id: string, use: NodeUse): Promise<Node> {
    const own = accessOf(request);
    const { access, node } = await this.reach(own, id, use);
    if (access !== own) setAccess(request, access);
    return node;
  }
}
