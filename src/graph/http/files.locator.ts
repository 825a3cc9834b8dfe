import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Request } from 'express';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { Locators } from '../../kernel/http/locators.js';
import { isId } from '../../kernel/ids.js';
import { accessOf, RAW_FILE_SCHEMA_ID } from '../../privacy/index.js';
import { type NodeUse, permitted } from '../application/node-permissions.js';
import { type Node } from '../domain/node.js';
import { NodesRepository } from '../infrastructure/nodes.repository.js';

/** What is wanted of a file: a use of its node, or its content, which is asked for again where it is sent. */
type FileUse = NodeUse | 'content';

/** Path ids of files, which are the ids of their nodes (decisions 6.1). A node without the raw-file schema is no file. */
@Injectable()
export class FilesLocator implements OnModuleInit {
  constructor(
    private readonly locators: Locators,
    private readonly nodes: NodesRepository,
  ) {}

  onModuleInit(): void {
    this.locators.register('file', (request, id, verb) => this.locate(request, id, verb as FileUse));
  }

  private async locate(request: Request, id: string, use: FileUse): Promise<Node> {
    const access = accessOf(request);
    const node = isId(id) ? await this.nodes.find(access.ownerId, id) : null;
    if (use === 'content') return permitted(access, node, 'read');
    const isFile = node?.record.schema_id === RAW_FILE_SCHEMA_ID;
    if (!isFile) throw new DomainError('NODE_NOT_FOUND', 'Node not found');
    return permitted(access, node, use);
  }
}
