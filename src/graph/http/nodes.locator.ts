import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Request } from 'express';
import { Locators } from '../../kernel/http/locators.js';
import { isId } from '../../kernel/ids.js';
import { accessOf } from '../../privacy/index.js';
import { type NodeUse, permitted } from '../application/node-permissions.js';
import { type Node } from '../domain/node.js';
import { NodesRepository } from '../infrastructure/nodes.repository.js';

/** Path ids of nodes: one statement, whose row the handler goes on with. A group's or a stranger's node is absent. */
@Injectable()
export class NodesLocator implements OnModuleInit {
  constructor(
    private readonly locators: Locators,
    private readonly nodes: NodesRepository,
  ) {}

  onModuleInit(): void {
    this.locators.register('node', (request, id, verb) => this.locate(request, id, verb as NodeUse));
  }

  private async locate(request: Request, id: string, use: NodeUse): Promise<Node> {
    const access = accessOf(request);
    const node = isId(id) ? await this.nodes.find(access.ownerId, id) : null;
    return permitted(access, node, use);
  }
}
