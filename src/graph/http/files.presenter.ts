import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Request } from 'express';
import { presentAgainWith, rememberSource } from '../../kernel/http/idempotency.js';
import { type Access, accessOf, Disclosures, sees } from '../../privacy/index.js';
import { type FileRecord, fileRecordOf } from '../domain/file-view.js';
import { factsOf, type NodeSource } from '../domain/node-view.js';
import { type Node } from '../domain/node.js';
import { type NodeRecord } from '../domain/node-record.js';

type Source = NodeSource & { unread?: true };

/** The way out for a file in the form of the raw-files family; see NodePresenter, whose rules hold here. */
@Injectable()
export class FilePresenter implements OnModuleInit {
  constructor(private readonly disclosures: Disclosures) {}

  onModuleInit(): void {
    presentAgainWith('file', (request, source: Source) => {
      const access = accessOf(request as Request);
      return source.unread || sees(access.nodes.read, factsOf(source)) ? this.present(access, source) : null;
    });
  }

  present(access: Access, node: NodeSource): FileRecord {
    this.disclosures.shown(access, node);
    return rememberSource(fileRecordOf(access, node), node, 'file');
  }

  presentListed(access: Access, record: NodeRecord): FileRecord {
    this.disclosures.shown(access, record);
    return fileRecordOf(access, record);
  }

  /** A file that the caller has just written; he sees it this once, also when he may not read it. */
  presentWritten(access: Access, node: Node): FileRecord {
    const source = node.snapshot();
    this.disclosures.shown(access, source);
    const unread = !sees(access.nodes.read, node.facts);
    return rememberSource(fileRecordOf(access, source), unread ? { ...source, unread } : source, 'file');
  }
}
