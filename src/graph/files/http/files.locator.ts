import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Request } from 'express';
import { Locators } from '../../../kernel/http/locators.js';
import { accessOf, RAW_FILE_SCHEMA_ID, setAccess } from '../../../privacy/index.js';
import { type Node, NodesLocator, type NodeUse, permitted } from '../../nodes/index.js';
import { nodeNotFound } from '../../common/index.js';

/**
 * The use of a file: a use of its node, or its content, whose permission is checked again where it is sent.
 */
type FileUse = NodeUse | 'content';

/**
 * Path ids of files, which are the ids of their nodes (rule 6.1), received ones too: a share applies to
 * both families. A node without the raw-file schema is not a file.
 */
@Injectable()
export class FilesLocator implements OnModuleInit {
  constructor(
    private readonly locators: Locators,
    private readonly nodes: NodesLocator,
  ) {}

  onModuleInit(): void {
    this.locators.register('file', ['read', 'edit', 'delete', 'content'], (request, id, verb) =>
      this.locate(request, id, verb),
    );
  }

  private async locate(request: Request, id: string, use: FileUse): Promise<Node> {
    const own = accessOf(request);
    const { access, node } = await this.nodes.reach(own, id, 'read');
    if (use !== 'content' && node.record.schema_id !== RAW_FILE_SCHEMA_ID) {
      throw nodeNotFound();
    }
    if (access !== own) setAccess(request, access);
    return use === 'content' ? node : permitted(access, node, use);
  }
}
