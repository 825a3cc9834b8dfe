import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { setEtag } from '../../../kernel/http/preconditions.js';
import { presentedLater, rememberSource, Replays } from '../../../kernel/http/idempotency.js';
import {
  type PageWithinBytes,
  pageWithinBytes,
  shownInTurn,
} from '../../../kernel/http/answers/page-within-bytes.js';
import { type Room } from '../../../kernel/database/page-bytes.js';
import { type Access, accessOf, AccessReports, type NodeFacts } from '../../../privacy/index.js';
import {
  type FileRecord,
  fileRecordOf,
  nodeNotFound,
  type NodeRecord,
  type NodeSource,
  slicesOfShowing,
  slicesWithoutEnd,
} from '../../common/index.js';
import {
  type Node,
  type NodePage,
  NodePresenter,
  type Replayed,
  ReplayedNodes,
  sourceOfWritten,
} from '../../nodes/index.js';

/** Presents a file in the form of the raw-files family; see NodePresenter, whose rules apply. */
@Injectable()
export class FilePresenter implements OnModuleInit {
  constructor(
    private readonly nodes: NodePresenter,
    private readonly replayed: ReplayedNodes,
    private readonly accessReports: AccessReports,
    private readonly replays: Replays,
  ) {}

  onModuleInit(): void {
    this.replays.register<Replayed>('file', {
      present: (request, sources) => {
        const access = accessOf(request as Request);
        return this.replayed.again(access, sources, async (source, now) => ({
          body: await this.present(access, source, now),
          etag: await this.nodes.etag(access, source),
        }));
      },
      absent: nodeNotFound,
    });
  }

  /** @param now the current facts, for a past state */
  async present(access: Access, node: NodeSource, now?: NodeFacts): Promise<FileRecord> {
    await this.nodes.preparePast(access, node, { now });
    this.accessReports.shown(access, node);
    return rememberSource(fileRecordOf(access, node, now), node, 'file');
  }

  page(
    access: Access,
    room: Room,
    read: (room: Room) => Promise<NodePage>,
  ): Promise<PageWithinBytes<FileRecord>> {
    const slices = slicesOfShowing();
    return pageWithinBytes<NodeRecord, FileRecord>({
      limit: room.limit,
      offset: room.offset,
      read: async (part) => {
        const { records: rows, total } = await read(part);
        return { rows, total };
      },
      show: async (records) => {
        await this.nodes.stamp(access, records, slices);
        return shownInTurn(records, async (record) => {
          await this.nodes.prepare(access, [record], slices);
          return this.presentListed(access, record);
        });
      },
      isWhole: () => access.exposure.isIdentity,
      slices,
    });
  }

  private presentListed(access: Access, record: NodeRecord): FileRecord {
    this.accessReports.shown(access, record);
    return fileRecordOf(access, record);
  }

  /** Presents a file that the caller has just written, this once even without the right to read it. */
  async presentWritten(access: Access, node: Node, response: Response): Promise<FileRecord> {
    const source = sourceOfWritten(access, node);
    return presentedLater(source, 'file', async () => {
      setEtag(response, await this.nodes.etagOfWritten(access, node));
      await this.nodes.prepare(access, [source], slicesWithoutEnd());
      this.accessReports.shown(access, source);
      return rememberSource(fileRecordOf(access, source), source, 'file');
    });
  }
}
